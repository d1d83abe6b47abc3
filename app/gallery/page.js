// The page: cards with pictures that move, search and filters that live in the address, and one preset
// in detail. All texts come from strangers' presets and are put in as text, never as markup.

const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
const byTouch = window.matchMedia('(hover: none)').matches;
const library = JSON.parse(document.getElementById('library').textContent);
const presets = library.presets;
const CHIPS_AT_FIRST = 8;

const byId = (id) => document.getElementById(id);

// make('a', {class: 'x', href: '#'}, 'text', child): strings become text.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

const ICONS = {
  play: 'M7 4.5v11l9-5.5z',
  pause: 'M6 4.5h3v11H6zM11 4.5h3v11h-3z',
  close: 'M5 5l10 10M15 5 5 15',
  before: 'M12.5 4 6.5 10l6 6',
  after: 'M7.5 4l6 6-6 6',
  reset: 'M4.5 10a5.5 5.5 0 1 0 1.8-4.1M4 3.5v3.2h3.2',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  fit: 'M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4',
  download: 'M10 3v9M6 8.5l4 4 4-4M4 16.5h12',
};

function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const path = document.createElementNS(space, 'path');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', name === 'play' || name === 'pause' ? 'icon solid' : 'icon');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

function iconButton(name, label, action) {
  return make('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: action },
    icon(name));
}

function counted(count, one) {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

function asSize(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unitName] = bytes < 1e6 ? [bytes / 1e3, 'KB'] : [bytes / 1e6, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unitName}`;
}

function plain(text) {
  return String(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

// ---------------------------------------------------------------- the address

// #/NAMESPACE/NAME?category=...&tag=...&tag=...&q=...: what is open, and what the list is narrowed to.
// Two versions of one preset are told apart by @VERSION.
const keys = presets.map((preset, k) => (
  presets.findIndex((other) => other.name === preset.name) === k ? preset.name : `${preset.name}@${preset.version}`));

function readAddress() {
  const [, path, query] = /^#\/([^?]*)(?:\?(.*))?$/.exec(window.location.hash) || [null, '', ''];
  const terms = new URLSearchParams(query || '');
  let key = path;
  try {
    key = decodeURIComponent(path);
  } catch {
    // a stray % in an address that was typed by hand: it names no preset
  }
  return { key, category: terms.get('category'), tags: terms.getAll('tag'), words: terms.get('q') || '' };
}

function addressOf({ key, category, tags, words }) {
  const terms = new URLSearchParams();
  if (category) terms.set('category', category);
  for (const tag of tags) terms.append('tag', tag);
  if (words) terms.set('q', words);
  const query = terms.toString();
  return `#/${key.split('/').map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
}

let state = readAddress();
let openedHere = false; // whether going back leads from the detail to the list

// A step that Back undoes, unless it replaces the one before.
function go(change, replaces = false) {
  const address = addressOf({ ...state, ...change });
  if (address === window.location.hash) return;
  if (replaces) {
    window.history.replaceState(null, '', address);
    applyAddress();
  } else {
    window.location.hash = address; // the list and the detail follow through hashchange
  }
}

// ---------------------------------------------------------------- films

const runningFilms = new Set();
let filmClock = 0;

function tickFilms(now) {
  filmClock = runningFilms.size > 0 ? requestAnimationFrame(tickFilms) : 0;
  for (const film of runningFilms) film.tick(now);
}

// Frames side by side in one picture, played into a canvas. The picture is unpacked when first needed.
class Film {
  constructor(film, canvas, onTime = () => {}) {
    Object.assign(this, { film, canvas, onTime, time: 0, playing: false, shown: -1 });
    canvas.width = film.width;
    canvas.height = film.height;
  }

  get length() {
    return this.film.seconds;
  }

  async load() {
    this.image ||= Object.assign(new Image(), { src: this.film.image });
    await this.image.decode();
  }

  async play(on) {
    this.playing = on;
    this.last = 0;
    if (!on) {
      runningFilms.delete(this);
      return;
    }
    await this.load();
    if (!this.playing) return; // it was stopped meanwhile
    runningFilms.add(this);
    filmClock ||= requestAnimationFrame(tickFilms);
  }

  async seek(time) {
    this.time = time;
    await this.load();
    this.draw();
  }

  tick(now) {
    if (this.last) this.time = (this.time + (now - this.last) / 1000) % this.length;
    this.last = now;
    this.draw();
    this.onTime(this.time);
  }

  draw() {
    const { frames, columns, width, height } = this.film;
    const frame = Math.min(frames - 1, Math.floor((this.time / this.length) * frames)) || 0;
    if (frame === this.shown) return;
    this.shown = frame;
    const left = (frame % columns) * width, top = Math.floor(frame / columns) * height;
    this.canvas.getContext('2d').drawImage(this.image, left, top, width, height, 0, 0, width, height);
  }
}

// ---------------------------------------------------------------- cards

class Card {
  constructor(preset, key) {
    Object.assign(this, { preset, key });
    this.picture = make('span', { class: 'picture' },
      make('img', { src: preset.still, alt: '', width: 480, height: 300, decoding: 'async', loading: 'lazy' }));
    this.link = make('a', { class: 'card', href: addressOf({ key, tags: [] }), 'data-name': key, onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return; // a tab of its own
      event.preventDefault();
      openedHere = true;
      go({ key });
    } }, this.picture, make('span', { class: 'card-title' }, preset.title || preset.name),
    make('span', { class: 'card-text' }, firstSentence(preset.description)));
    this.element = make('li', {}, this.link);
    this.text = plain([preset.title, preset.name, preset.description, preset.author, preset.category,
      ...preset.tags, ...preset.uses, ...preset.parameters.map((p) => `${p.node} ${p.label}`)].join(' '));
    if (preset.film && !calm) this.playWhenLookedAt();
  }

  playWhenLookedAt() {
    const { link } = this;
    link.addEventListener('pointerenter', (event) => event.pointerType !== 'touch' && this.play(true));
    link.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && this.play(false));
    link.addEventListener('focus', () => link.matches(':focus-visible') && this.play(true));
    link.addEventListener('blur', () => this.play(false));
    if (byTouch) cardsInView.observe(link);
  }

  play(on) {
    if (!this.film) {
      if (!on) return;
      const canvas = make('canvas', { 'aria-hidden': 'true' });
      const progress = make('span', { class: 'progress' });
      this.picture.append(canvas, progress);
      this.film = new Film(this.preset.film, canvas, (time) => {
        this.picture.classList.add('plays'); // only now is there something to be seen
        progress.style.transform = `scaleX(${time / this.film.length})`;
      });
    }
    if (!on) this.picture.classList.remove('plays');
    this.film.time = on && !this.film.playing ? 0 : this.film.time;
    this.film.play(on).catch(() => {}); // a film that cannot be read leaves the still picture
  }
}

// There is no hovering on a phone: what is in the middle of the screen plays.
const cardsInView = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    cards.find((card) => card.link === entry.target).play(entry.isIntersecting);
  }
}, { rootMargin: '-12% 0px', threshold: 0.7 });

function firstSentence(text) {
  const [sentence] = /^.*?[.!?](?=\s|$)/s.exec(text || '') || [text || ''];
  return sentence;
}

// ---------------------------------------------------------------- the list

const cards = presets.map((preset, k) => new Card(preset, keys[k]));
const categoryNames = [...new Set(presets.map((preset) => preset.category))];
const tagCounts = new Map();
for (const tag of presets.flatMap((preset) => preset.tags)) tagCounts.set(tag, (tagCounts.get(tag) || 0) + 1);
const tagNames = [...tagCounts.keys()].sort((a, b) => tagCounts.get(b) - tagCounts.get(a) || a.localeCompare(b));
let sections = [];
let allTagsShown = false;

function buildList() {
  byId('library-title').textContent = library.title;
  byId('lead').textContent = `${counted(presets.length, 'preset')} to open, change and put on your own mesh. `
    + (byTouch ? 'Tap one to turn it and see how it is made.' : 'Hover to see one move, click to see how it is made.');
  sections = categoryNames.map((category) => {
    const count = make('span', { class: 'count' });
    const members = cards.filter((card) => card.preset.category === category);
    const element = make('section', { 'aria-label': category },
      make('h2', {}, category, count), make('ul', { class: 'grid' }, ...members.map((card) => card.element)));
    return { category, count, members, element };
  });
  byId('sections').append(...sections.map((section) => section.element));
  byId('foot').append(make('p', {}, 'Made with ', library.made_with, '.'),
    make('p', {}, 'A downloaded preset is put into your own library by ', make('code', {}, 'sinew presets install FILE'), '.'));
}

function matches(card, { category, tags, words }) {
  return (!category || card.preset.category === category)
    && tags.every((tag) => card.preset.tags.includes(tag))
    && plain(words).split(/\s+/).every((word) => card.text.includes(word));
}

const found = () => cards.filter((card) => matches(card, state));

function showCategories() {
  const entry = (name, category) => {
    const count = cards.filter((card) => matches(card, { ...state, category })).length;
    return make('a', { href: addressOf({ ...state, key: '', category }), class: 'category',
      'aria-current': state.category === category ? 'true' : false },
    name, make('span', { class: 'count' }, String(count)));
  };
  byId('categories').replaceChildren(entry('All', null), ...categoryNames.map((name) => entry(name, name)));
}

function showTags() {
  const first = tagNames.slice(0, CHIPS_AT_FIRST);
  const extra = tagNames.slice(CHIPS_AT_FIRST);
  const shown = allTagsShown ? tagNames : [...first, ...extra.filter((tag) => state.tags.includes(tag))];
  const focused = document.activeElement?.dataset?.tag;
  const chips = shown.map((tag) => {
    const on = state.tags.includes(tag);
    const tags = on ? state.tags.filter((other) => other !== tag) : [...state.tags, tag];
    const count = cards.filter((card) => matches(card, { ...state, tags: [...state.tags, tag] })).length;
    return make('button', { type: 'button', class: count > 0 || on ? 'chip' : 'chip empty', 'data-tag': tag,
      'aria-pressed': String(on), onclick: () => go({ tags, key: '' }) },
    make('span', {}, tag), make('span', { class: 'count' }, String(count)));
  });
  const more = extra.length > 0 && make('button', { type: 'button', class: 'chip more', 'data-tag': '',
    'aria-expanded': String(allTagsShown), onclick: () => {
      allTagsShown = !allTagsShown;
      showTags();
    } }, allTagsShown ? 'Fewer tags' : 'More tags');
  const row = byId('tags');
  row.classList.toggle('all', allTagsShown);
  row.replaceChildren(...chips, ...(more ? [more] : []));
  if (focused !== undefined) [...row.children].find((chip) => chip.dataset.tag === focused)?.focus();
}

function describeFilter() {
  const parts = [];
  if (state.category) parts.push(`in ${state.category}`);
  if (state.tags.length > 0) parts.push(`tagged ${state.tags.join(' and ')}`);
  if (state.words.trim()) parts.push(`with “${state.words.trim()}”`);
  return parts.join(' ');
}

function showList() {
  const visible = new Set(found());
  for (const section of sections) {
    const count = section.members.filter((card) => visible.has(card)).length;
    section.members.forEach((card) => { card.element.hidden = !visible.has(card); });
    section.element.hidden = count === 0;
    section.count.textContent = String(count);
  }
  const filter = describeFilter();
  const missing = state.key && !keys.includes(state.key) && `There is no preset ${state.key} in this library.`;
  byId('results').hidden = visible.size === 0 || !(filter || missing);
  byId('results-text').textContent = missing || `${visible.size} of ${counted(presets.length, 'preset')} ${filter}.`;
  byId('nothing').hidden = visible.size > 0;
  byId('nothing-title').textContent = presets.length > 0 ? `There is nothing ${filter}.` : 'This library has no presets yet.';
  if (byId('search').value !== state.words) byId('search').value = state.words;
  showCategories();
  showTags();
}

function showAll() {
  go({ key: '', category: null, tags: [], words: '' });
  byId('search').focus();
}

// ---------------------------------------------------------------- the stage: a model, a film or a picture

// Play, scrub and the rest, for whatever is on the stage.
class Transport {
  constructor(viewActions) {
    this.player = null;
    this.button = iconButton('play', 'Play', () => this.toggle());
    this.scrub = make('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time',
      oninput: () => {
        this.play(false);
        this.player.seek(Number(this.scrub.value));
        this.showTime(Number(this.scrub.value));
      } });
    this.label = make('span', { class: 'time' });
    this.followBox = make('input', { type: 'checkbox', onchange: () => viewActions.follow(this.followBox.checked) });
    this.followLabel = make('label', { class: 'follow' }, this.followBox, 'Follow');
    this.reset = iconButton('reset', 'Reset the view', viewActions.reset);
    this.element = make('div', { class: 'transport' }, this.button, this.scrub, this.label, this.followLabel, this.reset);
  }

  // Plays at once, unless the reader has asked for less motion. No player: nothing moves.
  take(player, { turns, travels }) {
    this.player = player;
    const moves = Boolean(player) && player.length > 0;
    this.element.hidden = !moves && !turns;
    for (const part of [this.button, this.scrub, this.label]) part.hidden = !moves;
    this.reset.hidden = !turns;
    this.followLabel.hidden = !travels;
    this.followBox.checked = false;
    this.scrub.max = moves ? player.length : 1;
    this.showTime(0);
    if (moves) this.play(!calm);
  }

  play(on) {
    this.player.play(on);
    this.button.replaceChildren(icon(on ? 'pause' : 'play'));
    this.button.title = on ? 'Pause' : 'Play';
    this.button.setAttribute('aria-label', this.button.title);
  }

  toggle() {
    if (this.player && this.player.length > 0) this.play(!this.player.playing);
  }

  showTime(time) {
    this.scrub.value = time;
    const share = this.player && this.player.length > 0 ? time / this.player.length : 0;
    this.scrub.style.setProperty('--share', `${100 * share}%`);
    this.label.textContent = this.player ? `${time.toFixed(1)} / ${this.player.length.toFixed(1)} s` : '';
  }
}

class Stage {
  constructor() {
    this.poster = make('img', { class: 'poster', alt: '' });
    this.canvas = make('canvas', { class: 'model', tabindex: 0, role: 'img' });
    this.filmCanvas = make('canvas', { class: 'film', 'aria-hidden': 'true' });
    this.note = make('p', { class: 'stage-note', role: 'status' });
    this.hint = make('p', { class: 'stage-hint', 'aria-hidden': 'true' },
      byTouch ? 'Drag to turn, pinch to zoom' : 'Drag to turn, scroll to zoom');
    this.canvas.addEventListener('pointerdown', () => this.hint.classList.add('known'));
    this.transport = new Transport({
      reset: () => this.viewer?.resetView(),
      follow: (on) => this.viewer?.follow(on),
    });
    this.screen = make('div', { class: 'screen' }, this.poster, this.filmCanvas, this.canvas, this.hint, this.note);
    this.element = make('div', { class: 'stage' }, this.screen, this.transport.element);
  }

  async show(preset) {
    this.stop();
    const visit = this.visit = {}; // of this preset; a model that arrives after it was left is dropped
    this.poster.src = preset.still;
    this.poster.alt = `Picture of ${preset.title}`;
    this.canvas.setAttribute('aria-label',
      `${preset.title} in 3D. Arrow keys turn it, plus and minus zoom, 0 resets the view.`);
    const text = preset.model && byId(preset.model)?.textContent;
    if (!preset.model) {
      this.showFilm(preset);
      return;
    }
    this.transport.take(null, { turns: true });
    try {
      const model = await readModel(text);
      if (visit !== this.visit) return;
      this.viewer ||= this.makeViewer();
      this.viewer.show(model);
      this.put('model', '');
      this.transport.take(this.viewer, { turns: true, travels: model.travels });
    } catch {
      if (visit !== this.visit) return;
      const canDraw = this.viewer || document.createElement('canvas').getContext('webgl2');
      this.showFilm(preset, canDraw ? 'The 3D model cannot be shown.'
        : 'The 3D view needs WebGL 2, which is not available here.');
    }
  }

  makeViewer() {
    return new ModelViewer(this.canvas, {
      calm,
      onTime: (time) => this.transport.showTime(time),
      onLost: () => this.put('still', 'The 3D view was lost. It comes back by itself.'),
      onBack: () => this.put('model', ''),
    });
  }

  showFilm(preset, note = '') {
    this.put(preset.film ? 'film' : 'still', note);
    this.film = preset.film && new Film(preset.film, this.filmCanvas, (time) => this.transport.showTime(time));
    this.film?.seek(0).catch(() => this.put('still', note));
    this.transport.take(this.film, { turns: false });
  }

  put(kind, note) {
    this.element.dataset.shows = kind;
    this.note.textContent = note;
  }

  stop() {
    this.visit = null;
    this.film?.play(false);
    this.film = null;
    this.viewer?.clear();
    this.put('still', '');
  }
}

// ---------------------------------------------------------------- the graph

// The picture of the graph is a stranger's too. As an image nothing in it can run or be fetched.
function graphPicture(svg) {
  const image = make('img', { alt: 'The nodes of this preset and how they are wired', draggable: 'false' });
  const frame = make('div', { class: 'graph-frame', tabindex: 0, role: 'group', 'aria-label': 'Graph. Arrow keys scroll.' }, image);
  let scale = 1, fitting = 1, drag = null;
  const size = () => [image.naturalWidth || 800, image.naturalHeight || 400];
  const zoom = (wanted) => {
    const before = scale;
    scale = Math.min(3, Math.max(Math.min(fitting, 0.3), wanted));
    const [x, y] = [frame.scrollLeft + frame.clientWidth / 2, frame.scrollTop + frame.clientHeight / 2];
    image.style.width = `${size()[0] * scale}px`;
    frame.scrollTo((x * scale) / before - frame.clientWidth / 2, (y * scale) / before - frame.clientHeight / 2);
    frame.classList.toggle('pannable', frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight);
  };
  const fit = () => {
    const [width, height] = size();
    fitting = Math.min(1.25, frame.clientWidth / width, (0.7 * window.innerHeight) / height);
    zoom(fitting);
  };
  // The whole graph at first, unless its texts would be too small to read.
  image.addEventListener('load', () => {
    fit();
    if (fitting < 0.5) zoom(0.5);
    frame.scrollTo(0, 0);
  });
  image.addEventListener('error', () => frame.replaceChildren(make('p', { class: 'quiet' }, 'The graph cannot be shown.')));
  frame.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return; // a plain wheel scrolls
    event.preventDefault();
    zoom(scale * Math.exp(-0.004 * event.deltaY));
  }, { passive: false });
  frame.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') return; // fingers scroll by themselves
    drag = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener('pointermove', (event) => drag && frame.scrollTo(drag.x - event.clientX, drag.y - event.clientY));
  frame.addEventListener('lostpointercapture', () => { drag = null; });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  const tools = make('div', { class: 'graph-tools' },
    iconButton('minus', 'Make the graph smaller', () => zoom(scale / 1.3)),
    iconButton('plus', 'Make the graph larger', () => zoom(scale * 1.3)),
    iconButton('fit', 'Fit the whole graph', fit));
  return [tools, frame];
}

// ---------------------------------------------------------------- one preset in detail

const stage = new Stage();
const detail = byId('detail');
let openKey = null;

function neighbours(key) {
  const around = found().some((card) => card.key === key) ? found() : cards;
  const place = around.findIndex((card) => card.key === key);
  return { place, count: around.length, before: around[place - 1], after: around[place + 1] };
}

function step(direction) {
  const next = neighbours(openKey)[direction];
  if (next) go({ key: next.key }, true);
}

function detailTop(key) {
  const { place, count, before, after } = neighbours(key);
  const previous = iconButton('before', 'Previous preset', () => step('before'));
  const next = iconButton('after', 'Next preset', () => step('after'));
  previous.disabled = !before;
  next.disabled = !after;
  return make('div', { class: 'detail-top' }, previous, next,
    make('span', { class: 'place' }, `${place + 1} of ${count}`),
    iconButton('close', 'Close', closeDetail));
}

function describe(preset) {
  // What there is to try is easier to find in a paragraph of its own.
  const [about, tries] = String(preset.description || '').split(/\sTry: (.+)/s);
  return [make('p', { class: 'about' }, about),
    tries && make('p', { class: 'about' }, make('strong', {}, 'Try '), tries)];
}

function facts(preset) {
  const seconds = preset.frames / preset.fps;
  const length = preset.frames > 1
    ? `${counted(preset.frames, 'frame')}, ${seconds.toFixed(seconds < 10 ? 1 : 0)} s at ${preset.fps} a second` : 'One pose';
  const rows = [['Author', preset.author], ['Licence', preset.licence], ['Version', preset.version],
    ['Length', length], ['Graph', counted(preset.nodes, 'node')]];
  return make('dl', { class: 'facts' }, ...rows.filter(([, value]) => value)
    .map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))));
}

async function copyText(text, from) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    window.getSelection().selectAllChildren(from); // so that it can be copied by hand
    return document.execCommand('copy');
  }
}

function downloads({ href, bytes }) {
  if (!href || /^([a-z][a-z0-9+.-]*:|\/)/i.test(href)) return null; // only files beside this page
  const file = decodeURIComponent(href.split('/').pop());
  const quoted = /^[\w.@+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  const command = `sinew presets install ${quoted}`;
  const line = make('code', {}, 'sinew presets install ', make('span', {}, quoted));
  const copy = make('button', { type: 'button', class: 'button quiet-button', onclick: async () => {
    copy.textContent = (await copyText(command, line)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1600);
  }, 'aria-label': 'Copy the command', 'aria-live': 'polite' }, 'Copy');
  return make('div', { class: 'get' },
    make('a', { class: 'button main-button', href, download: file, title: `${bytes.toLocaleString('en')} bytes` },
      icon('download'), 'Download preset', make('span', { class: 'size' }, asSize(bytes))),
    make('p', { class: 'quiet' }, 'One file with the graph, its settings and everything that it reads. Put it into your library with'),
    make('div', { class: 'command' }, line, copy));
}

function parameterTable(parameters) {
  if (parameters.length === 0) return make('p', { class: 'quiet' }, 'It offers no parameters. Its graph can be changed in the editor.');
  const head = make('tr', {}, ...['Parameter', 'Value', 'Range', 'What it does'].map((name) => make('th', { scope: 'col' }, name)));
  const rows = parameters.map((parameter) => make('tr', {},
    make('th', { scope: 'row' }, parameter.label, make('span', { class: 'of-node' }, parameter.node)),
    make('td', { class: 'value' }, parameter.value, parameter.unit && make('span', { class: 'unit' }, ` ${parameter.unit}`)),
    make('td', { class: 'range' }, parameter.range || ''),
    make('td', { class: 'doc' }, parameter.doc || '')));
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
}

function buildDetail(preset, key) {
  const tags = preset.tags.map((tag) => make('a', { class: 'chip', href: addressOf({ key: '', tags: [tag] }) },
    make('span', {}, tag)));
  const text = make('div', { class: 'text' },
    make('a', { class: 'eyebrow', href: addressOf({ key: '', category: preset.category, tags: [] }) }, preset.category),
    make('h2', { id: 'detail-title', tabindex: -1 }, preset.title || preset.name),
    make('p', { class: 'full-name' }, preset.name), ...describe(preset),
    tags.length > 0 && make('div', { class: 'tag-row' }, ...tags), downloads(preset.download || {}), facts(preset));
  const part = (title, ...content) => make('section', { class: `part ${title.toLowerCase()}` }, make('h3', {}, title), ...content);
  detail.replaceChildren(detailTop(key), make('div', { class: 'detail-body' },
    stage.element, text,
    part('Parameters', parameterTable(preset.parameters)),
    preset.graph ? part('Graph', ...graphPicture(preset.graph)) : '',
    preset.uses.length > 0 ? part('Nodes', make('ul', { class: 'uses' }, ...preset.uses.map((name) => make('li', {}, name)))) : ''));
}

function showDetail(key) {
  if (key === openKey) return;
  const focused = detail.open && document.activeElement?.getAttribute('aria-label');
  openKey = key;
  const { preset } = cards[keys.indexOf(key)];
  buildDetail(preset, key);
  if (!detail.open) detail.showModal();
  detail.scrollTop = 0;
  // Whoever steps through with a button goes on with that button.
  const again = focused && [...detail.querySelectorAll('.detail-top button:enabled')].find((b) => b.ariaLabel === focused);
  (again || byId('detail-title')).focus({ preventScroll: true });
  for (const card of cards) card.film?.playing && card.play(false);
  stage.show(preset);
}

function hideDetail() {
  const card = cards[keys.indexOf(openKey)];
  openKey = null;
  openedHere = false;
  stage.stop();
  if (detail.open) detail.close();
  if (!card || card.element.hidden) return;
  card.link.focus({ preventScroll: true });
  const { top, bottom } = card.link.getBoundingClientRect();
  if (top < byId('bar').offsetHeight || bottom > window.innerHeight) card.link.scrollIntoView({ block: 'center' });
}

function closeDetail() {
  if (openedHere) window.history.back();
  else go({ key: '' }, true);
}

// ---------------------------------------------------------------- what the hands do

function applyAddress() {
  const before = state;
  state = readAddress();
  showList();
  const open = keys.includes(state.key);
  if (open) showDetail(state.key);
  else if (openKey !== null) hideDetail();
  const filterOf = (s) => addressOf({ ...s, key: '' });
  const bar = byId('bar');
  // What was found begins under the bar, wherever the list was scrolled to before.
  if (!open && filterOf(before) !== filterOf(state) && window.scrollY > bar.offsetTop) {
    window.scrollTo({ top: byId('presets').offsetTop - bar.offsetHeight });
  }
  document.title = open ? `${cards[keys.indexOf(state.key)].preset.title} - ${library.title}` : library.title;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const types = event.target.closest('input:not([type=checkbox])');
  if (event.key === '/' && !detail.open && !types) {
    event.preventDefault();
    byId('search').focus();
    byId('search').select();
  }
  if (!detail.open || types || event.target.closest('.graph-frame')) return;
  if (event.key === 'ArrowLeft') step('before');
  if (event.key === 'ArrowRight') step('after');
  if (event.key === ' ' && !event.target.closest('button, a, input')) {
    event.preventDefault();
    stage.transport.toggle();
  }
}

function begin() {
  buildList();
  window.addEventListener('hashchange', applyAddress);
  document.addEventListener('keydown', onKey);
  byId('search').addEventListener('input', (event) => go({ words: event.target.value, key: '' }, true));
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.target.value === '') event.target.blur();
  });
  byId('clear').addEventListener('click', showAll);
  byId('nothing-back').addEventListener('click', showAll);
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('presets').focus();
  });
  detail.addEventListener('cancel', (event) => {
    event.preventDefault();
    closeDetail();
  });
  detail.addEventListener('click', (event) => event.target === detail && closeDetail()); // beside the panel
  applyAddress();
}

begin();
