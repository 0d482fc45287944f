import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderShelves, withShelves } from './architecturePage.ts';
import { imports } from './imports.ts';

const PAGE = 'docs/architecture.md';

it('docs/architecture.md draws the shelves and imports that the code has', () => {
  const page = readFileSync(PAGE, 'utf8');
  const current = withShelves(page, renderShelves(imports));

  // `WRITE_PAGES=1 npx vitest run test/architecture` writes the page.
  if (process.env['WRITE_PAGES'] === '1') writeFileSync(PAGE, current);
  else expect(page).toBe(current);
});
