import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A fenced block of code, by the language after its fence. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** Every Markdown page of the project that git tracks or would track. */
export const pages: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '');

export const textOf = (page: string): string => readFileSync(page, 'utf8');

export const codeBlocksOf = (text: string): CodeBlock[] =>
  [...text.matchAll(/^```([a-z]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));

/** The text without its code blocks: a link in an example is not a link of the page. */
export const proseOf = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page, as GitHub derives them from the headings. */
export const anchorsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
