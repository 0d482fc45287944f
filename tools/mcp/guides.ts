import { readdirSync, readFileSync } from 'node:fs';
import { probableName } from '../../functions/platform/shared/nearestName.ts';
import { didYouMean } from '../../sdk/shared/didYouMean.ts';
import { ProtocolError } from './protocol.ts';

const FOLDER = new URL('../../docs/guides/', import.meta.url);
const SCHEME = 'inference-attribution://guides/';
const MARKDOWN = 'text/markdown';

const names = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();

const textOf = (name: string): string => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

/** The guides of the project as resources: what a report means, and how calls are attributed. */
export const listGuides = (): object[] =>
  names().map((name) => ({
    uri: SCHEME + name,
    name,
    title: /^# (.+)$/m.exec(textOf(name))?.[1] ?? name,
    mimeType: MARKDOWN,
  }));

export const readGuide = (uri: string): object => {
  const name = names().find((known) => SCHEME + known === uri);
  if (name === undefined) {
    const meant = probableName(
      uri,
      names().map((known) => SCHEME + known),
    );
    throw new ProtocolError('params', `Unknown resource: ${uri}.${didYouMean(meant)}`, { uri });
  }
  return { uri, mimeType: MARKDOWN, text: textOf(name) };
};
