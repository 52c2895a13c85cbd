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
    faults: every('[data-testid=stException]').map((e) => e.innerText.slice(0, 200)),
  };
}
