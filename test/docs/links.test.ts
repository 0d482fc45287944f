import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectNoFaults } from '../support/faults.ts';
import { anchorsOf, pages, proseOf, textOf } from './pages.ts';

const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

const isExternal = (target: string): boolean => /^[a-z]+:/.test(target);

/** Why a link of a page leads nowhere; null when it is good. */
const problemOf = (page: string, link: string): string | null => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return `${link} does not exist`;
  if (anchor === undefined || anchorsOf(textOf(target)).includes(anchor)) return null;
  return `${link} has no such heading`;
};

/** Paths in backticks that name a file of the project, such as `schemas/problems.ts`. */
const namedFilesOf = (text: string): string[] =>
  [
    ...proseOf(text).matchAll(
      /`((?:bench|bin|docs|examples|functions|lib|local|schemas|sdk|test|tools)\/[\w./-]+\.\w+)`/g,
    ),
  ].map(([, path = '']) => path);

describe('the documentation', () => {
  it('has pages', () => {
    expect(pages).toContain('README.md');
  });

  it('finds no broken link on any page', async () => {
    await expectNoFaults(pages, String, (page) =>
      linksOf(textOf(page))
        .filter((link) => !isExternal(link))
        .map((link) => problemOf(page, link))
        .filter((problem) => problem !== null),
    );
  });

  it('finds no page that names a missing file', async () => {
    await expectNoFaults(pages, String, (page) =>
      namedFilesOf(textOf(page)).filter((path) => !existsSync(path)),
    );
  });

  it('reports a link to a missing page, and to a missing heading', () => {
    expect(problemOf('README.md', 'docs/no-such-page.md')).toBe('docs/no-such-page.md does not exist');
    expect(problemOf('README.md', 'CONTRIBUTING.md#no-such-heading')).toBe(
      'CONTRIBUTING.md#no-such-heading has no such heading',
    );
  });
});

it('keeps the README within 150 lines', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(150);
});
