// Everything that the walker compares, at one moment.
() => {
  const every = (selector, root = document) => [...root.querySelectorAll(selector)];
  const deep = [];
  const dig = (root) => every('*', root).forEach((e) => {
    if (!e.shadowRoot) return;
    deep.push(e.shadowRoot);
    dig(e.shadowRoot);
  });
  dig(document);
  const boxes = {}, sliders = {}, numbers = {}, used = {};
  const name = (e) => e.getAttribute('aria-label') ?? '';
  every('.stSelectbox input[role=combobox]').forEach((e) => { boxes[name(e)] = e.value; });
  every('.stNumberInput input').forEach((e) => { numbers[name(e)] = e.value; });
  every('.stSlider input[type=range]').forEach((e) => { sliders[name(e).split(',')[0]] = e.getAttribute('aria-valuetext'); });
  deep.flatMap((root) => every('.track[role=slider]', root)).forEach((e) => { sliders[name(e).split(',')[0]] = e.dataset.value; });
  const lines = deep.flatMap((root) => every('.stage[role=slider]', root)).map((e) => [name(e), e.getAttribute('aria-valuetext') ?? '']);
  const tabs = every('.stButtonGroup [role=radio][aria-checked=true]').map((e) => e.innerText.trim());
  every('.gdr-used').forEach((e) => Object.assign(used, JSON.parse(e.dataset.used)));
  const texts = {};
  every('.stTextInput input').forEach((e) => { texts[name(e)] = e.value; });
  const words = (selector) => every(selector).map((e) => e.innerText.trim());
  const figures = deep.flatMap((root) => every('.frame.diffusion:not(.lab)', root)).map((e) => every('.node .name', e).map((n) => n.textContent));
  const lab = deep.flatMap((root) => every('.lab .stage.graph', root))[0];
  const why = every('.stMain .stPageLink a').find((e) => e.innerText.includes('Why? Open it'));
  const aside = document.querySelector('[data-testid=stSidebar]');
  const node = deep.flatMap((root) => every('.search input', root))[0];
  const toggle = every('.stCheckbox input').find((e) => name(e) === 'Reveal test');
  return {
    // Elements whose code the browser is still fetching count as running, too.
    running: document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning'
      || document.querySelector('[data-testid=stSkeleton]') !== null,
    title: document.querySelector('[data-testid=stMain] h1')?.innerText ?? '',
    path: location.pathname, search: location.search, length: history.length,
    boxes, sliders, numbers, used, lines, tabs,
    node: node ? node.value : null,
    test: toggle ? toggle.checked : null,
    line: every('.stSidebar p').map((e) => e.innerText).find((t) => t.includes('relabelled')) ?? '',
    texts, figures,
    pills: every('.stSidebar .stButtonGroup [aria-checked=true], .stSidebar .stButtonGroup [aria-pressed=true]').map((e) => e.textContent.trim()),
    sentences: words('.stMain .stMarkdown p').filter((t) => /From /.test(t)).map((t) => t.slice(t.indexOf('From '))),
    captions: words('.stMain [data-testid=stCaptionContainer]'),
    lab: lab ? every('.node', lab).length : 0,
    paper: why ? new URL(why.href).searchParams.get('node') : null,
    sidebar: aside !== null && getComputedStyle(aside).display !== 'none',
    desk: document.querySelector('aside.gdr-desk') !== null,
    faults: every('[data-testid=stException]').map((e) => e.innerText.slice(0, 200)),
  };
}
