import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { cachedConsole } from '../../tools/build/consoleBuild.ts';

const SCRIPT_MAXIMUM = 110_000;
const STYLE_MAXIMUM = 8_000;

let folder: string;
let page: string;

beforeAll(async () => {
  folder = await cachedConsole();
  page = readFileSync(join(folder, 'index.html'), 'utf8');
});

/** Compressed bytes of the files that the first page names. Other pages load theirs when they are opened. */
const firstLoad = (pattern: RegExp): number =>
  [...page.matchAll(pattern)]
    .map(([, path = '']) => brotliCompressSync(readFileSync(join(folder, path))).byteLength)
    .reduce((total, bytes) => total + bytes, 0);

describe('the first load of the console', () => {
  it(`has at most ${SCRIPT_MAXIMUM / 1_000} kB of scripts`, () => {
    const bytes = firstLoad(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(SCRIPT_MAXIMUM);
  });

  it(`has at most ${STYLE_MAXIMUM / 1_000} kB of styles`, () => {
    const bytes = firstLoad(/href="\/console\/(assets\/[^"]+\.css)"/g);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(STYLE_MAXIMUM);
  });

  it('has no inline script or style, which the content security policy refuses', () => {
    expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=/);
  });
});
