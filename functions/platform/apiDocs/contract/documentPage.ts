import { type Reply, reply } from '../../http/reply.ts';
import { escapeHtml } from '../escapeHtml.ts';

/** A browser that opens an address names HTML. Programs name JSON, or accept anything. */
export const isBrowser = (header: (name: string) => string | undefined): boolean =>
  header('accept')?.includes('text/html') ?? false;

const shown = (value: unknown): string => {
  const text = escapeHtml(String(value));
  return /^https?:\/\//.test(text) ? `<a href="${text}">${text}</a>` : text;
};

/** Members and their values. An entry of a list is a section of its own. */
const sections = (document: object): string =>
  Object.entries(document)
    .map(([name, value]) =>
      Array.isArray(value)
        ? value.map((entry) => `<section>${sections(entry)}</section><hr>`).join('\n')
        : `<p><strong>${escapeHtml(name)}</strong>: ${shown(value)}</p>`,
    )
    .join('\n');

const pageOf = (title: string, document: object): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${sections(document)}
</body>
</html>
`;

/** The document, which a browser gets as a page with this title. */
export const replyToReader = (
  header: (name: string) => string | undefined,
  title: string,
  document: object,
): Reply =>
  isBrowser(header)
    ? reply(200, pageOf(title, document), { 'content-type': 'text/html; charset=utf-8', vary: 'accept' })
    : reply(200, document, { vary: 'accept' });
