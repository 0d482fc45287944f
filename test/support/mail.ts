import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReadMail {
  /** By lower-case name, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const fromQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Encoded words (RFC 2047) as text; blanks between two of them do not count. */
const decodedWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toLowerCase() === 'q'
        ? fromQuoted(word.replaceAll('_', ' '))
        : Buffer.from(word, 'base64')
      ).toString(),
    );

/** A message of one part, read as a mail program reads it. Throws where it is none. */
export const readMail = (raw: Uint8Array): ReadMail => {
  const [head = '', ...rest] = Buffer.from(raw).toString('latin1').split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const at = line.indexOf(':');
        if (at < 1) throw new Error(`not a header: ${line}`);
        return [line.slice(0, at).toLowerCase(), decodedWords(line.slice(at + 1).trim())] as const;
      }),
  );
  const body = rest.join('\r\n\r\n');
  const decoded =
    headers['content-transfer-encoding'] === 'quoted-printable'
      ? fromQuoted(body.replaceAll('=\r\n', ''))
      : Buffer.from(body, 'latin1');
  return { headers, text: decoded.toString().replaceAll('\r\n', '\n') };
};

/** The messages an instance has mailed, in the order they were sent. */
export const mailIn = (dataDir: string): ReadMail[] =>
  globSync('mail/*.eml', { cwd: dataDir })
    .sort()
    .map((file) => readMail(readFileSync(join(dataDir, file))));
