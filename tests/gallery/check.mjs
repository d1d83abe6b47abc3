// Opens a gallery as a reader would, and tries it with a real mouse, keys and fingers.
//
//     node check.mjs DIR/index.html OUTDIR [CHROMIUM]
//
// CHROMIUM, or the variable of that name, is the browser; /usr/bin/chromium unless given.
// playwright-core must be found by node: in node_modules beside or above, or at PLAYWRIGHT_CORE.
// Prints a line for each check, keeps pictures in OUTDIR, and exits with 1 if a check failed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [page_file, out, browser_file = process.env.CHROMIUM || '/usr/bin/chromium'] = process.argv.slice(2);
if (!page_file || !out) {
  console.error('usage: node check.mjs DIR/index.html OUTDIR [CHROMIUM]');
  process.exit(2);
}
const require = createRequire(process.env.PLAYWRIGHT_CORE || `${process.cwd()}/`);
const { chromium } = require('playwright-core');
const only = process.env.ONLY && new RegExp(process.env.ONLY); // while working on one check
const html = fs.readFileSync(page_file, 'utf8');
const library = JSON.parse(/id="library">(.*?)<\/script>/s.exec(html)[1]);
const { presets } = library;
const with_model = presets.find((preset) => preset.model && preset.film && preset.parameters.length > 0);
const DESKTOP = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, colorScheme: 'dark' };
// Pictures are drawn by the processor here, and slowly when others use it too.
const PATIENCE = Number(process.env.PATIENCE) || 60000;

fs.mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: browser_file,
  args: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox'] });
let failures = 0;
let complaints = []; // of the console, and requests that leave the page

function expect(what, condition) {
  if (!condition) throw new Error(what);
}

async function until(what, test, patience = PATIENCE) {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (await test()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(what);
}

async function open(settings, hash = '', file = page_file, prepare = null) {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => ['error', 'warning'].includes(message.type())
    && !/GPU stall|GL Driver Message|readback/.test(message.text()) // the checks themselves read what was drawn
    && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(`asks for ${request.url()}`));
  if (prepare) await page.addInitScript(prepare);
  await page.goto(pathToFileURL(path.resolve(file)).href + hash);
  return page;
}

async function check(name, settings, action, { hash, file, prepare } = {}) {
  if (only && !only.test(name)) return;
  let page = null;
  complaints = [];
  try {
    page = await open(settings, hash, file, prepare);
    await action(page);
    expect(`the console says: ${complaints.join('; ')}`, complaints.length === 0);
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}: ${error.message.split('\n')[0]}`);
  }
  if (page) await page.context().close();
}

// ---------------------------------------------------------------- what is seen

const visible_cards = (page) => page.locator('a.card:visible');
const hash_of = (page) => page.evaluate(() => window.location.hash);
const film_position = (page, card) => card.locator('canvas').evaluate(
  (canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.join());
const is_open = (page) => page.locator('dialog[open]').count();
const address = (preset) => `#/${preset.name}`;
const model_is_shown = (page) => page.locator('.stage[data-shows=model]').waitFor();

// Bytes of what is seen of the model, to be compared for equality while it stands still.
async function model_picture(page) {
  return (await page.locator('.screen').screenshot()).toString('base64');
}

async function pause(page) {
  const button = page.locator('.transport button').first();
  if ((await button.getAttribute('aria-label')) === 'Pause') await button.click();
}

// The view glides after a hand; two equal pictures in a row mean that it has arrived.
async function still_picture(page) {
  let picture = await model_picture(page);
  await until('the view comes to rest', async () => {
    const before = picture;
    await page.waitForTimeout(300);
    picture = await model_picture(page);
    return picture === before;
  });
  return picture;
}

async function opened_and_paused(page) {
  await model_is_shown(page);
  await page.locator('.stage-hint').evaluate((hint) => hint.remove()); // it would fade meanwhile
  await pause(page);
  await page.mouse.move(2, 2);
  return still_picture(page);
}

async function middle_of(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2, box];
}

async function nothing_overflows(page) {
  const wide = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth, window: window.innerWidth,
    dialog: document.querySelector('dialog[open]')?.scrollWidth ?? 0 }));
  expect(`nothing is wider than the window: ${JSON.stringify(wide)}`,
    wide.page <= wide.window && wide.dialog <= wide.window && wide.window <= 390);
}

// Fingers, as the browser's own input sees them.
async function drag_by_finger(page, from, to) {
  const hand = await page.context().newCDPSession(page);
  const touch = (type, points) => hand.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [{ x: from[0], y: from[1] }]);
  for (let k = 1; k <= 8; ++k) {
    await touch('touchMove', [{ x: from[0] + ((to[0] - from[0]) * k) / 8, y: from[1] + ((to[1] - from[1]) * k) / 8 }]);
    await page.waitForTimeout(30);
  }
  await touch('touchEnd', []);
}

// ---------------------------------------------------------------- the list

await check('as many cards as presets, in sections with counts', DESKTOP, async (page) => {
  expect('one card each', await visible_cards(page).count() === presets.length);
  const categories = [...new Set(presets.map((preset) => preset.category))];
  const headings = await page.locator('main h2').allTextContents();
  const wanted = categories.map((name) => name + presets.filter((preset) => preset.category === name).length);
  expect(`headings ${headings}`, headings.join() === wanted.join());
  const broken = await page.locator('.picture img').evaluateAll((images) => Promise.all(
    images.map(({ src }) => Object.assign(new Image(), { src }).decode().then(() => 0, () => 1))).then((all) => all.reduce((a, b) => a + b, 0)));
  expect(`${broken} pictures cannot be shown`, broken === 0);
  await page.screenshot({ path: path.join(out, 'desktop_list.png') });
});

await check('search narrows, and an unknown word has a way back', DESKTOP, async (page) => {
  const word = presets[presets.length - 1].title.split(' ')[0];
  await page.locator('#search').click();
  await page.keyboard.type(word);
  await until('fewer cards', async () => await visible_cards(page).count() < presets.length || presets.length < 2, 3000);
  expect('the one sought is there', await page.locator(`a.card[data-name="${presets[presets.length - 1].name}"]:visible`).count() === 1);
  expect('the address tells it', (await hash_of(page)).includes('q='));
  await page.keyboard.type('qqzx');
  await until('nothing is left', async () => await visible_cards(page).count() === 0, 3000);
  expect('it says so', /nothing/i.test(await page.locator('#nothing').innerText()));
  await page.locator('#nothing button').click();
  await until('all are back', async () => await visible_cards(page).count() === presets.length, 3000);
  expect('the field is empty', await page.locator('#search').inputValue() === '');
});

await check('tags filter, the address shows it, and Back undoes it', DESKTOP, async (page) => {
  const chip = page.locator('#tags .chip').first();
  const tag = await chip.getAttribute('data-tag');
  const wanted = presets.filter((preset) => preset.tags.includes(tag)).length;
  const uses = (name) => presets.filter((preset) => preset.tags.includes(name)).length;
  expect('the most used tag comes first', presets.every((preset) => preset.tags.every((name) => uses(name) <= wanted)));
  await chip.click();
  await until('those with the tag', async () => await visible_cards(page).count() === wanted, 3000);
  expect('in the address', (await hash_of(page)).includes(`tag=${encodeURIComponent(tag).replaceAll('%20', '+')}`));
  expect('pressed', await page.locator('#tags .chip').first().getAttribute('aria-pressed') === 'true');
  await page.goBack();
  await until('all are back', async () => await visible_cards(page).count() === presets.length, 3000);
  const before = await page.locator('#tags .chip').count();
  if (await page.locator('#tags .more').count()) {
    await page.locator('#tags .more').click();
    expect('more tags open', await page.locator('#tags .chip').count() > before);
  }
});

await check('categories filter, the address shows it, and Back undoes it', DESKTOP, async (page) => {
  const { category } = presets[presets.length - 1];
  const wanted = presets.filter((preset) => preset.category === category).length;
  await page.locator('#categories a', { hasText: category }).last().click();
  await until('those of the category', async () => await visible_cards(page).count() === wanted, 3000);
  expect('in the address', (await hash_of(page)).includes('category='));
  await page.goBack();
  await until('all are back', async () => await visible_cards(page).count() === presets.length, 3000);
});

await check('a card plays its film while the mouse is over it', DESKTOP, async (page) => {
  const card = page.locator(`a.card[data-name="${with_model.name}"]`);
  await card.scrollIntoViewIfNeeded();
  const picture = card.locator('.picture');
  const unplayed = (await picture.screenshot()).toString('base64');
  await card.hover();
  await card.locator('.plays').waitFor();
  const first = await film_position(page, card);
  await until('the film goes on', async () => await film_position(page, card) !== first);
  expect('it is seen', (await picture.screenshot()).toString('base64') !== unplayed);
  await page.mouse.move(2, 2);
  await until('the still is back', async () => await card.locator('.plays').count() === 0, 3000);
  const stopped = await film_position(page, card);
  await page.waitForTimeout(600);
  expect('the film stopped', await film_position(page, card) === stopped);
});

await check('keys: / searches, Tab shows where it is, Enter opens, arrows step, Esc closes', DESKTOP, async (page) => {
  await page.keyboard.press('/');
  expect('search has the focus', await page.evaluate(() => document.activeElement.id) === 'search');
  expect('and no slash in it', await page.locator('#search').inputValue() === '');
  const passed = [];
  for (let k = 0; k < 60 && !passed.includes('card'); ++k) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      const box = element.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { name: element.className.split(' ')[0], ring: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
        seen: box.width > 0 && box.bottom > 0 && box.top < window.innerHeight };
    });
    expect(`the focus is seen on ${JSON.stringify(at)}`, at.ring && at.seen);
    passed.push(at.name);
  }
  expect(`tags before cards: ${passed}`, passed[0] === 'chip' && passed.at(-1) === 'card');
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor();
  expect('the first is open', await hash_of(page) === address(presets[0]));
  await page.keyboard.press('ArrowRight');
  await until('the second', async () => await hash_of(page) === address(presets[1]), 5000);
  await page.keyboard.press('ArrowLeft');
  await until('the first again', async () => await hash_of(page) === address(presets[0]), 5000);
  await page.keyboard.press('Escape');
  await until('it closes', async () => !(await is_open(page)), 5000);
  expect('the card has the focus', await page.evaluate(() => document.activeElement.dataset.name) === presets[0].name);
});

// ---------------------------------------------------------------- one preset

await check('a card opens its detail with all there is to know, and Back closes it', DESKTOP, async (page) => {
  await page.locator(`a.card[data-name="${with_model.name}"]`).click();
  await page.locator('dialog[open]').waitFor();
  expect('an address of its own', await hash_of(page) === address(with_model));
  const text = await page.locator('dialog').innerText();
  const [start] = with_model.description.split(/\sTry: /);
  for (const part of [with_model.title, start, with_model.author, with_model.licence, with_model.version]) {
    expect(`says ${part}`, text.includes(part));
  }
  expect('a row for each parameter', await page.locator('tbody tr').count() === with_model.parameters.length);
  const { label, value, doc } = with_model.parameters[0];
  const row = await page.locator('tbody tr').first().innerText();
  expect(`the row ${row}`, [label, value, doc].every((part) => row.includes(part)));
  const graph = page.locator('.graph-frame img');
  await until('the graph is drawn', () => graph.evaluate((image) => image.complete && image.naturalWidth > 0));
  expect('as an image', (await graph.getAttribute('src')).startsWith('data:image/svg+xml'));
  const width = (await graph.boundingBox()).width;
  await page.locator('[aria-label="Make the graph larger"]').click();
  expect('the graph zooms', (await graph.boundingBox()).width > 1.1 * width);
  await page.locator('dialog').evaluate((dialog) => { dialog.scrollTop = 0; });
  await model_is_shown(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(out, 'desktop_detail.png') });
  await page.goBack();
  await until('it closes', async () => !(await is_open(page)), 5000);
});

await check('the viewer turns, zooms, and a double click resets it', DESKTOP, async (page) => {
  const before = await opened_and_paused(page);
  const [x, y] = await middle_of(page.locator('canvas.model'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 160, y + 20, { steps: 6 });
  await page.mouse.up();
  await page.mouse.move(2, 2);
  const turned = await still_picture(page);
  expect('dragging turns it', turned !== before);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await page.mouse.move(2, 2);
  const zoomed = await still_picture(page);
  expect('the wheel zooms', zoomed !== turned);
  expect('and does not scroll', await page.locator('dialog').evaluate((dialog) => dialog.scrollTop) === 0);
  await page.mouse.dblclick(x, y);
  await page.mouse.move(2, 2);
  expect('a double click resets', await still_picture(page) === before);
  await page.locator('canvas.model').focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('canvas.model').blur();
  expect('arrow keys turn it', await still_picture(page) !== before);
  expect('and do not step', await hash_of(page) === address(with_model));
}, { hash: address(with_model) });

await check('play, pause and scrub', DESKTOP, async (page) => {
  await opened_and_paused(page);
  const scrub = page.locator('.transport input[type=range]');
  const time = async () => Number(await scrub.inputValue());
  const [x, y, box] = await middle_of(scrub);
  await page.mouse.click(box.x + 0.2 * box.width, y);
  const early = await time();
  const early_picture = await still_picture(page);
  await page.mouse.click(x, y);
  const middle = await time();
  expect('the scrub bar moves the time', middle > early && early > 0);
  await page.mouse.move(2, 2);
  expect('and the model', await still_picture(page) !== early_picture);
  await page.locator('.transport button').first().click();
  await until('it plays', async () => await time() !== middle);
  await pause(page);
  const paused = await time();
  await page.waitForTimeout(700);
  expect('it pauses', await time() === paused);
  await page.locator('#detail-title').focus();
  await page.keyboard.press('Space');
  await until('Space plays', async () => await time() !== paused);
}, { hash: address(with_model) });

await check('what is downloaded is there and as large as it says', DESKTOP, async (page) => {
  for (const preset of presets) {
    const { size } = fs.statSync(path.join(path.dirname(page_file), decodeURIComponent(preset.download.href)));
    expect(`${preset.download.href} has ${size} bytes`, size === preset.download.bytes);
  }
  const link = page.locator('a[download]');
  expect('the link', await link.getAttribute('href') === with_model.download.href);
  const { bytes } = with_model.download;
  const said = await link.locator('.size').innerText();
  const scale = { bytes: 1, KB: 1e3, MB: 1e6 }[said.split(' ')[1]];
  expect(`says ${said} for ${bytes}`, Math.abs(parseFloat(said) * scale - bytes) <= 0.051 * bytes);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect('its name', download.suggestedFilename() === path.basename(with_model.download.href));
  const command = `sinew presets install ${path.basename(with_model.download.href)}`;
  expect('how to install it', await page.locator('.command code').innerText() === command);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.command button').click();
  await until('it says that it copied', async () => /Copied/.test(await page.locator('.command button').innerText()), 1500);
  expect('the clipboard', await page.evaluate(() => navigator.clipboard.readText()) === command);
}, { hash: address(with_model) });

await check('an address that names no preset says so', DESKTOP, async (page) => {
  expect('no detail', !(await is_open(page)));
  expect('a message', /no preset/.test(await page.locator('#results').innerText()));
}, { hash: '#/nobody/nothing' });

// ---------------------------------------------------------------- phones

await check('phone: nothing overflows, films play in view, a tap opens', PHONE, async (page) => {
  await nothing_overflows(page);
  await page.screenshot({ path: path.join(out, 'phone_list.png') });
  const card = page.locator(`a.card[data-name="${with_model.name}"]`);
  await card.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await card.locator('.plays').waitFor();
  const first = await film_position(page, card);
  await until('the film plays', async () => await film_position(page, card) !== first);
  const small = await page.locator('button:visible, .category:visible, #search').evaluateAll((targets) => targets
    .filter((target) => target.getBoundingClientRect().height < 44).map((target) => target.textContent));
  expect(`too small for a finger: ${small}`, small.length === 0);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await until('it stops out of view', async () => await card.locator('.plays').count() === 0 || presets.length < 4);
  await card.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await card.tap();
  await page.locator('dialog[open]').waitFor();
  await nothing_overflows(page);
  const small_too = await page.locator('dialog button:visible, dialog a:visible').evaluateAll((targets) => targets
    .filter((target) => target.getBoundingClientRect().height < 44).map((target) => target.textContent || target.ariaLabel));
  expect(`too small for a finger: ${small_too}`, small_too.length === 0);
  const tall = await page.locator('td.value, td.range').evaluateAll((cells) => cells
    .filter((cell) => cell.textContent.length < 20 && cell.offsetHeight > 60).map((cell) => cell.textContent));
  expect(`squeezed to a letter a line: ${tall}`, tall.length === 0);
  await model_is_shown(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(out, 'phone_detail.png') });
  await page.locator('dialog').evaluate((dialog) => dialog.querySelector('.parameters').scrollIntoView());
  await page.screenshot({ path: path.join(out, 'phone_parameters.png') });
});

await check('phone: a finger turns the model, and scrolls outside of it', PHONE, async (page) => {
  const before = await opened_and_paused(page);
  const [x, y] = await middle_of(page.locator('canvas.model'));
  await drag_by_finger(page, [x - 40, y + 60], [x + 40, y - 90]); // upwards, as if to scroll
  expect('it turns', await still_picture(page) !== before);
  const scrolled = () => page.locator('dialog').evaluate((dialog) => dialog.scrollTop);
  expect('the page stays', await scrolled() === 0);
  const [, , text] = await middle_of(page.locator('.text h2'));
  await drag_by_finger(page, [200, text.y + 150], [200, text.y - 150]);
  await until('the page scrolls', async () => await scrolled() > 50, 5000);
}, { hash: address(with_model) });

// ---------------------------------------------------------------- less fortunate readers

await check('less motion: films and models wait to be asked', { ...DESKTOP, reducedMotion: 'reduce' }, async (page) => {
  const card = page.locator(`a.card[data-name="${with_model.name}"]`);
  await card.hover();
  await page.waitForTimeout(1000);
  expect('no film', await card.locator('.plays').count() === 0);
  await card.click();
  await model_is_shown(page);
  const button = page.locator('.transport button').first();
  expect('the model waits', await button.getAttribute('aria-label') === 'Play');
  const time = () => page.locator('.transport input[type=range]').inputValue();
  await page.waitForTimeout(600);
  expect('it stands', Number(await time()) === 0);
  await button.click();
  await until('it plays when asked', async () => Number(await time()) > 0);
});

await check('no WebGL: a picture or a film, and a quiet line', DESKTOP, async (page) => {
  await page.locator('.stage-note', { hasText: 'WebGL' }).waitFor();
  expect('a picture', await page.locator('.poster').evaluate((image) => image.naturalWidth > 0));
}, { hash: address(with_model), prepare: () => {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
    return /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
  };
} });

await check('a lost context comes back', DESKTOP, async (page) => {
  const before = await opened_and_paused(page);
  await page.evaluate(() => {
    const gl = document.querySelector('canvas.model').getContext('webgl2');
    window.lost = gl.getExtension('WEBGL_lose_context');
    window.lost.loseContext();
  });
  await page.locator('.stage[data-shows=still]').waitFor();
  expect('it says so', /lost/.test(await page.locator('.stage-note').innerText()));
  await page.waitForTimeout(200);
  await page.evaluate(() => window.lost.restoreContext());
  await model_is_shown(page);
  expect('it is drawn again', await still_picture(page) === before);
}, { hash: address(with_model) });

// Texts that try to be markup, a model that is broken, a preset without pictures that move.
function hostile_page() {
  const evil = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';
  const bad = structuredClone(with_model);
  for (const key of ['title', 'description', 'author', 'licence', 'category', 'version']) bad[key] = `${key} ${evil}`;
  bad.name = 'evil/one';
  bad.tags = [evil];
  bad.uses = [evil, 'x'.repeat(300)];
  bad.parameters = [{ node: evil, label: evil, value: 'y'.repeat(300), unit: evil, range: evil, doc: evil }];
  bad.graph = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="window.hurt=1"><script>window.hurt=1</script></svg>';
  bad.download = { href: 'javascript:window.hurt=1', bytes: 1 };
  bad.model = 'broken-model';
  const bare = { ...structuredClone(with_model), name: 'bare/one', film: null, model: null, graph: '', tags: [], uses: [], parameters: [] };
  const text = JSON.stringify({ ...library, title: evil, presets: [bad, bare] }).replaceAll('<', '\\u003c');
  const file = path.join(out, 'hostile.html');
  fs.writeFileSync(file, html.replace(/(id="library">).*?(<\/script>)/s,
    (_, before, after) => `${before}${text}${after}<script type="text/plain" id="broken-model">H4sIAAAAbm9uc2Vuc2U=</script>`)
    .replace(/<script type="text\/plain" id="model-\d+">.*?<\/script>/gs, ''));
  return file;
}
const hostile = hostile_page();

await check('strangers\' texts stay texts, and a broken model is a quiet line', PHONE, async (page) => {
  await nothing_overflows(page);
  await page.locator('a.card').first().tap();
  await page.locator('.stage-note', { hasText: 'cannot be shown' }).waitFor();
  await nothing_overflows(page);
  expect('no script ran', !(await page.evaluate(() => window.hurt)));
  expect('the tags are texts', (await page.locator('#detail-title').innerText()).includes('<img'));
  expect('no strange link', await page.locator('a[href^="javascript"]').count() === 0);
}, { file: hostile });

await check('a preset without film, model, graph and parameters', DESKTOP, async (page) => {
  expect('a picture', await page.locator('.poster').isVisible());
  expect('no controls', !(await page.locator('.transport').isVisible()));
  expect('no note', !(await page.locator('.stage-note').isVisible()));
}, { file: hostile, hash: '#/bare/one' });
fs.unlinkSync(hostile);

await browser.close();
console.log(failures === 0 ? 'all is well' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
