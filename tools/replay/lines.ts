import { UnreadableFile } from './row.ts';

export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Far above any event the service would take; without a bound a file without line feeds would be held whole. */
const LINE_LENGTH_MAXIMUM = 4 * 1_048_576;

/** The lines of UTF-8 text that are not blank, without their ends (LF or CRLF; the last may have none). */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  const read = function* (text: string): Generator<Line> {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAXIMUM) throw new UnreadableFile(`Line ${number + 1} is too long.`);
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield { number, text: line.trim() };
    }
  };
  for await (const chunk of chunks) yield* read(decoder.decode(chunk, { stream: true }));
  yield* read(`${decoder.decode()}\n`);
}
