// One button that saves what is seen: a small menu of the files that it can become.

import { element } from "../elements.js";
import { ICONS, iconButton } from "../icons.js";
import { pressKey } from "../pointer.js";
import { filmKind, record } from "./film.js";
import { asPage, partsAround } from "./page.js";
import { asPng, asSvg, saveAs } from "./pictures.js";

/** @import { Life } from "../life.js" */
/** @import { Film, Picture } from "./pictures.js" */

const NO_FILM = "This browser cannot record a film; PNG and SVG work.";
const STAYS = 6000; // ms for which a sentence is seen

export class SaveMenu {
  /**
   * @param {Life} life of the view
   * @param {() => Picture | null} picture as it is now
   * @param {string} what is saved, e.g. "graph"
   */
  constructor(life, picture, what) {
    this.life = life;
    this.picture = picture;
    this.recording = false;
    this.button = iconButton(`Save the ${what}`, ICONS.save, () => (this.list.hidden ? this.open() : this.close()), "save");
    this.button.setAttribute("aria-haspopup", "menu");
    this.button.setAttribute("aria-expanded", "false");
    this.list = element("div", { className: "list", role: "menu", hidden: true, "aria-label": `Save the ${what} as` });
    this.said = element("div", { className: "said", role: "status" });
    this.box = element("div", { className: "saving" }, this.button, this.list, this.said);
    this.list.addEventListener("keydown", (event) => this.press(event), { signal: life.signal });
    this.box.addEventListener("focusout", (event) => { if (!this.box.contains(/** @type {Node | null} */ (event.relatedTarget))) this.close(); }, { signal: life.signal });
    window.addEventListener("pointerdown", (event) => { if (!event.composedPath().includes(this.box)) this.close(); }, { signal: life.signal });
    this.quiet = life.rest(STAYS, () => this.said.replaceChildren());
  }

  // ------------------------------------------------------------ the menu

  open() {
    const picture = this.picture();
    if (!picture) return;
    this.said.replaceChildren();
    const { film } = picture;
    this.list.replaceChildren(
      this.entry("Picture (PNG)", () => this.savePng(picture)),
      this.entry("Drawing (SVG)", () => this.saveSvg(picture)),
      ...(partsAround(this.box).length ? [this.entry("Interactive page (HTML)", () => this.savePage(picture))] : []),
      ...(film ? [this.entry(`${film.name} (WebM, ${film.seconds} s)`, () => this.saveFilm(picture, film))] : []),
    );
    this.list.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.entries()[0].focus();
  }

  close() {
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  /** @returns {HTMLElement[]} */
  entries() {
    return [...this.list.children].map((one) => /** @type {HTMLElement} */ (one));
  }

  /**
   * @param {string} text
   * @param {() => Promise<void> | void} act
   */
  entry(text, act) {
    const chosen = () => {
      this.button.focus();
      this.close();
      Promise.resolve(act()).catch((fault) => this.tell(`Not saved: ${fault instanceof Error ? fault.message : fault}.`));
    };
    return element("button", { type: "button", role: "menuitem", tabIndex: -1, textContent: text, onclick: chosen });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const entries = this.entries();
    const here = entries.findIndex((one) => one.matches(":focus"));
    /** @param {number} at */
    const go = (at) => entries[(at + entries.length) % entries.length].focus();
    const leave = () => {
      this.button.focus();
      this.close();
    };
    pressKey(event, { ArrowDown: () => go(here + 1), ArrowUp: () => go(here - 1), Home: () => go(0), End: () => go(-1), Escape: leave });
  }

  // ------------------------------------------------------------ saving

  /** @param {string} text */
  tell(text) {
    this.said.textContent = text;
    this.quiet.start();
  }

  /** @param {Picture} picture */
  async savePng(picture) {
    const blob = await asPng(picture);
    if (!blob) throw new Error("the browser made no picture");
    saveAs(blob, `${picture.name}.png`);
    this.tell(`Saved as ${picture.name}.png.`);
  }

  /** @param {Picture} picture */
  saveSvg(picture) {
    if (picture.tooLarge) return this.tell(picture.tooLarge);
    saveAs(asSvg(picture), `${picture.name}.svg`);
    this.tell(`Saved as ${picture.name}.svg.`);
  }

  /** @param {Picture} picture */
  savePage({ name, title }) {
    saveAs(new Blob([asPage(this.box, title)], { type: "text/html" }), `${name}.html`);
    this.tell(`Saved as ${name}.html.`);
  }

  /**
   * @param {Picture} picture
   * @param {Film} film
   */
  async saveFilm(picture, film) {
    if (this.recording) return;
    if (!filmKind()) return this.tell(NO_FILM);
    const clock = element("span", { "aria-hidden": "true" }); // counts for the eye; read out once is enough
    this.said.replaceChildren("Recording… ", clock);
    this.recording = true;
    try {
      const told = (/** @type {number} */ seconds) => { clock.textContent = `${Math.floor(seconds)} s`; };
      const blob = await record(picture, film, { signal: this.life.signal, told });
      if (!blob) return;
      saveAs(blob, `${picture.name}.webm`);
      this.tell(`Saved as ${picture.name}.webm.`);
    } finally {
      this.recording = false;
    }
  }
}
