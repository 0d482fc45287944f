import { expect, it } from 'vitest';
import { cacheControlOf, findFile } from '../../functions/platform/console/consoleFile.ts';

const file = { contentType: 'text/plain', digest: 'digest', isCompressed: true };
const files = { 'index.html': file, 'favicon.svg': file, 'assets/index-abc.js': file };

it.each([
  ['/console', 'index.html'],
  ['/console/', 'index.html'],
  ['/console/budgets', 'index.html'],
  ['/console/records/att_1', 'index.html'],
  ['/console/index.html', 'index.html'],
  ['/console/favicon.svg', 'favicon.svg'],
  ['/console/assets/index-abc.js', 'assets/index-abc.js'],
])('serves %s from %s', (path, name) => {
  expect(findFile(path, files)).toBe(name);
});

it.each([
  '/console/assets/missing.js',
  '/console/../package.json',
  '/console/files.json',
  '/console/index.html.br',
  '/console/a.b',
])('serves no file for %s', (path) => {
  expect(findFile(path, files)).toBeNull();
});

it('serves the index for names of object members', () => {
  expect(findFile('/console/constructor', files)).toBe('index.html');
});

it('lets browsers keep only files whose names contain their hash', () => {
  expect(cacheControlOf('assets/index-abc.js')).toBe('public, max-age=31536000, immutable');
  expect(['index.html', 'favicon.svg'].map(cacheControlOf)).toEqual(['no-cache', 'no-cache']);
});
