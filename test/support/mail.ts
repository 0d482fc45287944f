import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReadMail {
  /** Unfolded and decoded header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const decodeQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Decodes encoded words (RFC 2047). Drops the whitespace between two of them, as the RFC requires. */
const decodeEncodedWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toLowerCase() === 'q'
        ? decodeQuotedPrintable(word.replaceAll('_', ' '))
        : Buffer.from(word, 'base64')
      ).toString(),
    );

/** Parses a single-part message. Throws when a header line is invalid. */
export const readMail = (raw: Uint8Array): ReadMail => {
  const [head = '', ...rest] = Buffer.from(raw).toString('latin1').split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const at = line.indexOf(':');
        if (at < 1) throw new Error(`not a header: ${line}`);
        return [line.slice(0, at).toLowerCase(), decodeEncodedWords(line.slice(at + 1).trim())] as const;
      }),
  );
  const body = rest.join('\r\n\r\n');
  const decoded =
    headers['content-transfer-encoding'] === 'quoted-printable'
      ? decodeQuotedPrintable(body.replaceAll('=\r\n', ''))
      : Buffer.from(body, 'latin1');
  return { headers, text: decoded.toString().replaceAll('\r\n', '\n') };
};

/** The messages that an instance has sent, in send order. */
export const mailIn = (dataDir: string): ReadMail[] =>
  globSync('mail/*.eml', { cwd: dataDir })
    .sort()
    .map((file) => readMail(readFileSync(join(dataDir, file))));
