import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cachedConsole } from '../../tools/build/consoleBuild.ts';

const SCRIPT_MAXIMUM = 102_000;
const STYLE_MAXIMUM = 8_000;
const FONT_MAXIMUM_KIB = 48;
/** What a page loads when it is opened, beyond the first load. */
const PAGE_MAXIMUM = 25_000;

/** The source that names the pages that are loaded when they are opened. */
const PAGES = join(import.meta.dirname, '../../console/src/shell/pages.ts');

const folder = await cachedConsole();
const page = readFileSync(join(folder, 'index.html'), 'utf8');

const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** Bytes of files as they are served to a browser that accepts brotli. */
const bytesOf = (paths: readonly string[]): number =>
  paths.map((path) => statSync(join(folder, `${path}.br`)).size).reduce((total, bytes) => total + bytes, 0);

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match = '']) => match);

/** The scripts or styles that the page names. Other pages load theirs when they are opened. */
const firstLoad = (extension: 'js' | 'css'): string[] =>
  matches(page, new RegExp(`(?:src|href)="/console/(assets/[^"]+\\.${extension})"`, 'g'));

const loadedLater = (path: string): string[] =>
  matches(textOf(path), /import\(["'`]\.\/([\w-]+\.js)["'`]\)/g).map((name) => `assets/${name}`);

/** A script with all scripts that it imports. */
const withImports = (path: string, found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found;
  found.add(path);
  for (const name of matches(textOf(path), /(?:from|import)["'`]\.\/([\w-]+\.js)["'`]/g))
    withImports(`assets/${name}`, found);
  return found;
};

describe('the first load of the console', () => {
  it(`has at most ${SCRIPT_MAXIMUM / 1_000} kB of scripts`, () => {
    expect(firstLoad('js')).not.toEqual([]);
    expect(bytesOf(firstLoad('js'))).toBeLessThanOrEqual(SCRIPT_MAXIMUM);
  });

  it('names every script that the first page imports', () => {
    const imported = new Set(firstLoad('js').flatMap((path) => [...withImports(path)]));
    expect([...imported].sort()).toEqual(firstLoad('js').sort());
  });

  it(`has at most ${STYLE_MAXIMUM / 1_000} kB of styles`, () => {
    expect(firstLoad('css')).not.toEqual([]);
    expect(bytesOf(firstLoad('css'))).toBeLessThanOrEqual(STYLE_MAXIMUM);
  });

  it(`has one font of at most ${FONT_MAXIMUM_KIB} KiB, and loads it before the styles ask for it`, () => {
    const fonts = matches(firstLoad('css').map(textOf).join(''), /url\(\/console\/([^)]+\.woff2)\)/g);
    const [font = ''] = fonts;

    expect(new Set(fonts).size).toBe(1);
    expect(page).toMatch(new RegExp(`rel="preload"\\s+href="/console/${font}"`));
    expect(statSync(join(folder, font)).size).toBeLessThanOrEqual(FONT_MAXIMUM_KIB * 1_024);
  });

  it('has no inline script or style, which the content security policy refuses', () => {
    expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=/);
  });
});

it(`loads at most ${PAGE_MAXIMUM / 1_000} kB of scripts for each further page`, () => {
  const first = new Set(firstLoad('js'));
  const sizes = firstLoad('js')
    .flatMap(loadedLater)
    .map((path) => {
      const scripts = [...withImports(path)].filter((one) => !first.has(one));
      return { path, bytes: bytesOf(scripts) };
    });

  expect(sizes.length).toBeGreaterThanOrEqual(
    matches(readFileSync(PAGES, 'utf8'), /await (import)\(/g).length,
  );
  expect(sizes.filter(({ bytes }) => bytes > PAGE_MAXIMUM)).toEqual([]);
});
