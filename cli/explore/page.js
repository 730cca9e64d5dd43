// The page of `collsim explore`: sliders on the left, views beside them. It asks the program for each view, with one
// request of a view under way at a time and the last state waiting, so that pictures follow the hand without a queue.
'use strict';

const PICTURES = ['map', 'times', 'shares', 'trace', 'rounds'];
const DRAG_MS = 100; // what a map may take while the user drags
const PLACES = [1, 3, 12]; // about how many times as many places as detail 1 has
const costs = {}; // by subject() and detail: how many ms the program took for a map
const by = id => document.getElementById(id);
const hint = by('lead').textContent; // what page.html says there
const state = {c: '', machine: '', a: '', p: 64, k: 0, m: 65536, factors: {}};
const views = {}; // by name: {root, answer, rows, places, busy, next, asked}
const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), x => x.toString(16)).join('');
let about, sliders = {}, dragging = false, starting = true;

// ---- What is asked --------------------------------------------------------------------------------------------------

const machine = () => about.machines.find(x => x.name === state.machine);
const most = () => state.k ? state.k * Math.max(64, 2 ** Math.ceil(Math.log2(state.p / state.k))) :
  Math.max(1024, state.p);
// The first map is coarse, so that it is there soon.
const detail = () => starting ? 1 : Math.min(dragging ? quick() : 3, Number(by('detail').value));
// What decides how long a map of one detail takes.
const subject = () => [state.c, state.machine, state.k, most()].join(' ');

// Returns the finest detail whose map should take at most DRAG_MS: that is what it took before or, if it is new, what the
// next coarser one takes, by the ratio of their places.
function quick() {
  const took = costs[subject()] || {};
  let at = 1, ms = took[1];
  for (let i = 2; i <= 3; i++) {
    ms = took[i] || ms * PLACES[i - 1] / PLACES[i - 2];
    if (ms <= DRAG_MS) at = i;
  }
  return at;
}

// Notes what a map took. The program keeps that with each answer, and repeats it with an answer that it already has.
function measure(subject, detail, answer) {
  costs[subject] = {...costs[subject]};
  if (answer.ms) costs[subject][detail] = answer.ms;
}

const narrow = () => views.map.root.querySelector('.picture').clientWidth < 640;

function query(view) {
  const of = new URLSearchParams(
    {page, c: state.c, machine: state.machine, detail: detail(), narrow: narrow() ? 1 : 0});
  for (const [name, factor] of Object.entries(state.factors))
    if (factor !== 1) of.set('x.' + name, factor);
  if (state.k) of.set('k', state.k);
  if (view === 'map') {
    of.set('most', most());
    return of.toString();
  }
  of.set('a', chosen());
  of.set('p', state.p);
  if (view === 'times') of.set('with', rivals().join(','));
  if (view !== 'times' && view !== 'shares') of.set('m', state.m);
  return of.toString();
}

// The place of the map that is nearest to the sliders; undefined before there is a map.
function here() {
  const places = views.map.places;
  if (!places || !places.length) return undefined;
  const p = nearest(valuesOf(places, 'p'), state.p), row = places.filter(x => x.p === p);
  return row.find(x => x.m === nearest(valuesOf(row, 'm'), state.m));
}
const fastest = () => here() ? here().rows[0].algorithm : about.collectives[state.c][0];
const chosen = () => state.a || fastest();

// The algorithms that win or come second at the sizes of the map, on about as many ranks.
function rivals() {
  const at = here(), names = new Set();
  if (at)
    for (const place of views.map.places.filter(x => x.p === at.p))
      for (const row of place.rows.slice(0, 2)) names.add(row.algorithm);
  return [...names].slice(0, dragging && state.p > 512 ? 3 : 8);
}

// ---- Answers --------------------------------------------------------------------------------------------------------

async function ask(name) {
  const view = views[name], of = query(name);
  if (view.asked === of) return;
  if (view.busy) {
    view.next = true;
    return;
  }
  view.asked = of;
  view.busy = true;
  view.root.classList.add('old');
  const what = subject(), finely = detail();
  let answer;
  try {
    answer = await (await fetch(name + '?' + of, {credentials: 'omit'})).json();
  } catch (error) {
    answer = {error: 'the program does not answer'};
  }
  view.busy = false;
  if (name === 'map') measure(what, finely, answer);
  show(name, answer);
  if (view.next) {
    view.next = false;
    ask(name);
  }
}

function show(name, answer) {
  const view = views[name];
  view.answer = answer;
  view.root.querySelector('.line').textContent = answer.line || '';
  view.root.querySelector('.error').textContent = answer.error || '';
  view.root.classList.toggle('old', Boolean(answer.error));
  view.root.querySelector('.note').textContent = noteOf(name, answer);
  if (answer.error) return;
  if (answer.svg) {
    view.rows = answer.printed ? rowsOf(answer.printed) : [];
    view.places = placesOf(view.rows);
    view.root.querySelector('.picture').replaceChildren(pictureOf(name, answer.svg));
  } else {
    view.root.querySelector('.text').textContent = answer.printed;
  }
  if (name === 'map') mapChanged();
  if (name === 'map' && starting) {
    starting = false;
    ask('map');
  }
}

// Returns a sentence on what a picture leaves out: a trace has at most 256 ranks, and rounds have at most 16.
function noteOf(name, answer) {
  const p = answer.line && Number(answer.line.match(/ -p (\d+)/)?.[1]);
  const few = p < state.p ? ` of ${p} ranks, not ${state.p},` : '';
  if (name === 'trace' && few)
    return `A run${few} because at most 256 are traced, so that the picture is there soon. ` +
      'Its first 16 ranks are drawn.';
  if (name === 'trace' && p > 16) return `The first 16 of ${p} ranks are drawn.`;
  if (name === 'rounds')
    return `A run${few || ` of ${p} ranks`} in which each message takes 1 us and nothing else takes time: ` +
      'each us is a round.' + (answer.line.includes(' --to ') ? ' The first 32 are drawn.' : '');
  return name === 'show' && few ? `A run${few} because its rounds are drawn.` : '';
}

// Returns a text of a picture in which references to its marks, "#gpPt1" and "url(#wait)", lead to those of this view.
// A colour is no reference.
function referring(text, name) {
  return text.replace(/^#(?=[A-Za-z])(?![0-9a-fA-F]{3,8}$)|(url\(['"]?#)/g, (all, url) => (url || '#') + name);
}

// Returns a picture to be shown: its marks get ids of their own, and the names of its parts move to where no tooltip
// shows them.
function pictureOf(name, text) {
  const svg = document.adoptNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement);
  const title = svg.querySelector(':scope > title');
  svg.setAttribute('role', 'img');
  if (title) svg.setAttribute('aria-label', title.textContent);
  for (const part of svg.querySelectorAll('g > title')) part.parentNode.dataset.part = part.textContent;
  if (name !== 'trace' && name !== 'rounds') svg.querySelectorAll('title').forEach(x => x.remove());
  for (const x of svg.querySelectorAll('*'))
    for (const attribute of [...x.attributes]) {
      if (attribute.localName === 'id') attribute.value = name + attribute.value;
      else if (attribute.value.includes('#')) attribute.value = referring(attribute.value, name);
    }
  return svg;
}

// Asks for all that depends on the chosen algorithm.
function mapChanged() {
  const first = by('a').options[0];
  first.textContent = 'the fastest here: ' + fastest();
  mark();
  for (const name of ['times', 'shares', 'trace', 'rounds', 'show']) ask(name);
  if (views.why.open) ask('why');
}

function changed() {
  tell();
  const before = views.map.asked;
  ask('map');
  if (views.map.asked === before && !views.map.next && !views.map.busy) mapChanged(); // the map stays
  else if (views.map.places) for (const name of ['times', 'shares', 'trace']) ask(name);
}

// ---- Where the pointer is -------------------------------------------------------------------------------------------

function boxOf(name, part, inner = '') {
  let box;
  for (const x of views[name].root.querySelectorAll(`.picture g[data-part="${part}"] ${inner}`)) {
    const r = x.getBoundingClientRect();
    if (!r.width && !r.height) continue;
    box = box ? {left: Math.min(box.left, r.left), top: Math.min(box.top, r.top), right: Math.max(box.right, r.right),
      bottom: Math.max(box.bottom, r.bottom)} : {left: r.left, top: r.top, right: r.right, bottom: r.bottom};
  }
  return box;
}

// Returns the axes of the map as its picture has them: that of a barrier on nodes has the ranks from left to right.
function mapAxes() {
  const places = views.map.places || [], ms = valuesOf(places, 'm'), ps = valuesOf(places, 'p');
  const turned = ms.length === 1 && state.k > 0;
  return {ms, ps, nx: turned ? ps.length : ms.length, ny: turned ? 1 : ps.length, turned};
}

function placeAt(x, y) {
  const box = boxOf('map', 'places'), axes = mapAxes();
  if (!box || x < box.left || x > box.right || y < box.top || y > box.bottom) return undefined;
  const i = Math.min(axes.nx - 1, Math.floor((x - box.left) / (box.right - box.left) * axes.nx)),
    j = Math.min(axes.ny - 1, Math.floor((box.bottom - y) / (box.bottom - box.top) * axes.ny)),
    p = axes.ps[axes.turned ? i : j], m = axes.ms[axes.turned ? 0 : i];
  return views.map.places.find(place => place.p === p && place.m === m);
}

// Draws the frame around the place where the sliders are.
function mark() {
  const at = here(), box = boxOf('map', 'places'), picture = views.map.root.querySelector('.picture');
  picture.querySelectorAll('.mark').forEach(x => x.remove());
  if (!at || !box) return;
  const axes = mapAxes(), frame = picture.getBoundingClientRect(), frameMark = document.createElement('div'),
    i = axes.turned ? axes.ps.indexOf(at.p) : axes.ms.indexOf(at.m), j = axes.turned ? 0 : axes.ps.indexOf(at.p),
    w = (box.right - box.left) / axes.nx, h = (box.bottom - box.top) / axes.ny;
  frameMark.className = 'mark';
  Object.assign(frameMark.style, {left: box.left - frame.left + picture.scrollLeft + i * w + 'px', width: w + 'px',
    top: box.bottom - frame.top - (j + 1) * h + 'px', height: h + 'px'});
  picture.append(frameMark);
}

const nameOf = row => row.algorithm + (row.params ? ' ' + row.params : '');

function mapTip(x, y) {
  const place = placeAt(x, y);
  if (!place) return '';
  const [first, second] = place.rows, lines = [`${place.p} ranks, ${sizeText(place.m)} bytes`,
    `${nameOf(first)}: ${timeText(first.time_s)}`, `= ${first.certificate}`];
  if (second) {
    const times = Number((second.time_s / first.time_s).toPrecision(3));
    lines.push(`then ${nameOf(second)}: ${timeText(second.time_s)}, x${times}`);
  }
  return lines.join('\n');
}

function timesTip(x, y) {
  const axes = boxOf('times', 'axes'), points = boxOf('times', 'series', 'use'), places = views.times.places || [];
  const inside = axes && x >= axes.left && x <= axes.right && y >= axes.top && y <= axes.bottom;
  if (!inside || !points || !places.length) return '';
  const ms = valuesOf(places, 'm'), share = (x - points.left) / Math.max(points.right - points.left, 1),
    place = places.find(at => at.m === ms[Math.round(Math.min(1, Math.max(0, share)) * (ms.length - 1))]);
  if (!place) return '';
  return [`${place.p} ranks, ${sizeText(place.m)} bytes`,
    ...place.rows.map(row => `${nameOf(row)}: ${timeText(row.time_s)}` +
    (row.algorithm === chosen() ? `\n= ${row.certificate}` : ''))].join('\n');
}

function sharesTip(x, y) {
  const box = boxOf('shares', 'bars'), places = views.shares.places || [];
  if (!box || y < box.top || y > box.bottom || !places.length) return '';
  const share = (y - box.top) / (box.bottom - box.top);
  const place = places[Math.min(places.length - 1, Math.floor(share * places.length))], row = place.rows[0];
  const costs = row.costs.split(';').map(cost => cost.split('='));
  return `${sizeText(place.m)} bytes: ${timeText(row.time_s)}\n= ${row.certificate}\n` +
    costs.map(([term, s]) => `${term} ${(100 * s / row.time_s).toFixed(1)} %`).join(', ');
}

const tips = {map: mapTip, times: timesTip, shares: sharesTip};

function hover(name, event) {
  const tip = by('tip'), {answer} = views[name];
  const text = answer && !answer.error ? tips[name](event.clientX, event.clientY) : '';
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const {width, height} = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4)) + 'px';
  const below = event.clientY + 18;
  tip.style.top = (below + height > innerHeight ? Math.max(4, event.clientY - height - 12) : below) + 'px';
}

// Goes to a place, and says why its winner wins there.
function choose(place) {
  state.a = '';
  by('a').value = '';
  sliders.p.set(place.p);
  if (place.m) sliders.m.set(place.m);
  openWhy(true);
  changed();
  views.why.root.scrollIntoView({block: 'nearest'});
}

function openWhy(open) {
  views.why.open = open;
  views.why.root.hidden = !open;
  if (open) ask('why');
}

const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

function mapKey(event) {
  const at = here(), axes = mapAxes(), step = steps[event.key];
  if (!at || (!step && event.key !== 'Enter')) return;
  event.preventDefault();
  if (!step) return choose(at);
  const m = axes.ms[axes.ms.indexOf(at.m) + step[0]], p = axes.ps[axes.ps.indexOf(at.p) + step[1]];
  if (m) sliders.m.set(m);
  if (p) sliders.p.set(p);
  changed();
}

// ---- Sliders --------------------------------------------------------------------------------------------------------

// Makes a slider over values, whose text says a value; take() is called with each new one.
function addSlider(id, label, values, text, take, title) {
  const [head, input, output, box] = ['label', 'input', 'output', 'div'].map(tag => document.createElement(tag));
  const slider = {values, head, input};
  head.htmlFor = input.id = 's-' + id;
  head.textContent = label + ' ';
  head.title = title || '';
  head.append(output);
  Object.assign(input, {type: 'range', min: 0, max: values.length - 1, step: 1});
  slider.set = value => {
    input.value = slider.values.indexOf(nearest(slider.values, value));
    slider.take();
  };
  slider.take = () => {
    const value = slider.values[input.value];
    output.textContent = text(value);
    input.setAttribute('aria-valuetext', text(value));
    take(value);
  };
  input.addEventListener('pointerdown', () => { dragging = true; });
  input.addEventListener('input', () => { slider.take(); changed(); });
  input.addEventListener('change', () => { dragging = false; changed(); });
  box.append(head, input);
  by('sliders').append(box);
  sliders[id] = slider;
}

function addFigure(figure) {
  const values = Array.from({length: 33}, (_, i) => Number((2 ** ((i - 16) / 4)).toPrecision(4)));
  addSlider('x.' + figure.name, figure.name, values, factor => figure.text + (factor === 1 ? '' : ' x' + factor),
    factor => {
      state.factors[figure.name] = factor;
      sliders['x.' + figure.name].head.classList.toggle('changed', factor !== 1);
    }, figure.meaning);
}

function makeSliders() {
  by('sliders').replaceChildren();
  sliders = {};
  state.factors = {};
  const {k, p, m} = about.start;
  const nodes = withValue(withValue([0, 1, 2, 4, 8, 16, 32, 48, 64], machine().node, true), k, true);
  const rankValues = () => withValue(halfDoublings(state.k || 2, state.k ? Math.min(65536, 1024 * state.k) : 16384),
    p, p % (state.k || 1) === 0);
  addSlider('p', 'ranks', rankValues(), x => state.k > 1 ? `${x} = ${x / state.k} x ${state.k}` : String(x),
    x => { state.p = x; });
  addSlider('k', 'ranks a node', nodes, x => x ? String(x) : 'not said', x => {
    state.k = x;
    sliders.p.values = rankValues();
    sliders.p.input.max = sliders.p.values.length - 1;
    sliders.p.set(state.p);
  });
  addSlider('m', 'bytes', withValue(doublings(8, 2 ** 26), m, true), x => sizeText(x), x => { state.m = x; });
  machine().figures.forEach(addFigure);
}

// Sets the sliders to p, k and m, and those of the machine's figures to a factor of 1.
function setSliders(p, k, m) {
  sliders.k.set(k);
  sliders.p.set(p);
  sliders.m.set(m);
  for (const figure of machine().figures) sliders['x.' + figure.name].set(1);
}

function addOptions(select, names, texts) {
  select.replaceChildren(...names.map((name, i) => new Option(texts ? texts[i] : name, name)));
}

function tell() {
  const changes = Object.entries(state.factors).filter(([, x]) => x !== 1).map(([name, x]) => `${name} x${x}`);
  by('lead').textContent = changes.length ? `What if: ${changes.join(', ')}` : hint;
}

// ---- The page -------------------------------------------------------------------------------------------------------

function addButton(to, text, press) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', press);
  to.append(button);
}

// Copies the command of a view, and says so on the button. Where the browser forbids it, the command is selected.
async function copy(button, view) {
  const text = button.textContent;
  try {
    await navigator.clipboard.writeText(view.answer.line);
    button.textContent = 'copied';
  } catch (error) {
    getSelection().selectAllChildren(view.root.querySelector('.line'));
    button.textContent = 'selected: copy it';
  }
  setTimeout(() => { button.textContent = text; }, 1500);
}

function save(name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([views[name].answer.svg], {type: 'image/svg+xml'}));
  link.download = name + '.svg';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function makeView(name) {
  const root = by(name), picture = PICTURES.includes(name), view = views[name] = {root};
  const part = (tag, kind) => Object.assign(document.createElement(tag), {className: kind});
  const main = part(picture ? 'div' : 'pre', picture ? 'picture' : 'text'), buttons = part('p', 'buttons');
  root.append(main, part('p', 'note'), part('p', 'error'), part('pre', 'line'), buttons);
  addButton(buttons, 'copy the command', event => copy(event.target, view));
  if (picture) addButton(buttons, 'save as SVG', () => save(name));
  if (name === 'why') addButton(buttons, 'close', () => openWhy(false));
  if (!tips[name]) return;
  main.addEventListener('pointermove', event => hover(name, event));
  main.addEventListener('pointerleave', () => { by('tip').hidden = true; });
}

function listen() {
  const map = views.map.root.querySelector('.picture');
  map.tabIndex = 0;
  map.setAttribute('aria-label', 'map of winners: arrow keys move, Enter says why');
  map.addEventListener('click', event => {
    const place = placeAt(event.clientX, event.clientY);
    if (place) choose(place);
  });
  map.addEventListener('keydown', mapKey);
  addEventListener('resize', () => { mark(); changed(); });
  by('c').addEventListener('change', () => { setCollective(by('c').value); changed(); });
  by('machine').addEventListener('change', () => {
    setMachine(by('machine').value, state.p, state.k, state.m);
    changed();
  });
  by('a').addEventListener('change', () => { state.a = by('a').value; changed(); });
  by('detail').addEventListener('change', changed);
  by('reset').addEventListener('click', () => { setSliders(state.p, state.k, state.m); changed(); });
  by('half').addEventListener('click', () => {
    for (const {name} of machine().figures)
      if (/^alpha(\.far)?$/.test(name)) sliders['x.' + name].set(0.5);
    changed();
  });
}

function setCollective(name) {
  state.c = by('c').value = name;
  state.a = '';
  addOptions(by('a'), ['', ...about.collectives[name]], ['the fastest here', ...about.collectives[name]]);
  views.map.places = undefined;
}

function setMachine(name, p, k, m) {
  state.machine = by('machine').value = name;
  makeSliders();
  setSliders(p, k, m);
}

async function begin() {
  [...PICTURES, 'show', 'why'].forEach(makeView);
  views.why.root.hidden = true;
  about = await (await fetch('about', {credentials: 'omit'})).json();
  const {c, p, k, m} = about.start, source = new EventSource('open');
  by('trouble').textContent = 'collsim explore has ended: start it again.';
  source.onerror = () => { by('trouble').hidden = false; };
  source.onopen = () => { by('trouble').hidden = true; };
  addOptions(by('c'), Object.keys(about.collectives));
  addOptions(by('machine'), about.machines.map(x => x.name),
    about.machines.map(x => x.title === x.name ? x.name : `${x.name} (${x.title})`));
  setCollective(c);
  setMachine(about.machines[0].name, p, k, m);
  listen();
  changed();
}

begin();
