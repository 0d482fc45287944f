import { plainNames } from './plainNames.ts';
import type { ReportContent } from './reportContent.ts';

/** Where its recipient ends a report. */
export const unsubscribeUrl = (consoleUrl: string): string => `${consoleUrl}/notifications#reports`;

/** Where a report is sent, and for whom. */
interface ReportFrame {
  /** The name of the tenant. */
  readonly tenant: string;
  /** The URL of the console, without a trailing slash. */
  readonly consoleUrl: string;
}

/** The plain text of a report. */
export const renderReport = (
  { title, sections, page }: ReportContent,
  { tenant, consoleUrl }: ReportFrame,
): string =>
  [
    plainNames(title),
    ...sections.map(({ title: heading, rows }) =>
      [heading, ...rows.map(({ name, value }) => `  ${plainNames(name)}: ${plainNames(value)}`)].join('\n'),
    ),
    `Details: ${consoleUrl}/${page}`,
    `Unsubscribe: ${unsubscribeUrl(consoleUrl)}`,
    `Tenant: ${plainNames(tenant)}`,
  ].join('\n\n');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
const htmlOf = (text: string): string => escapeHtml(plainNames(text));

/** Mail programs ignore style sheets, so each element has its style. */
const CELL = 'padding:4px 16px 4px 0;vertical-align:top';

/** The same report as HTML. It loads nothing, so opening it tells nobody. */
export const renderReportHtml = (
  { title, sections, page }: ReportContent,
  { tenant, consoleUrl }: ReportFrame,
): string => {
  const tables = sections.map(({ title: heading, rows }) => {
    const lines = rows.map(
      ({ name, value }) =>
        `<tr><th scope="row" align="left" style="${CELL};font-weight:400">${htmlOf(name)}</th><td style="${CELL}"><b>${htmlOf(value)}</b></td></tr>`,
    );
    return `<h2 style="font-size:16px;margin:24px 0 4px">${htmlOf(heading)}</h2><table style="border-collapse:collapse;font-size:14px">${lines.join('')}</table>`;
  });
  const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${text}</a>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${htmlOf(title)}</title></head><body style="font-family:sans-serif;max-width:640px;margin:24px auto"><h1 style="font-size:20px">${htmlOf(title)}</h1>${tables.join('')}<p>${link(`${consoleUrl}/${page}`, 'Details in the console')}</p><p style="font-size:12px">${htmlOf(tenant)} · ${link(unsubscribeUrl(consoleUrl), 'Unsubscribe')}</p></body></html>`;
};
