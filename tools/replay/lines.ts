import { UnreadableFile } from './row.ts';

export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Far above the size of any accepted event. Without this limit, a file without line feeds would be loaded into memory. */
const LINE_LENGTH_MAXIMUM = 4 * 1_048_576;

/** The non-blank lines of UTF-8 text, without their line ends (LF or CRLF, optional on the last line). */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  const read = function* (text: string): Generator<Line> {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAXIMUM)
      throw new UnreadableFile(`Line ${number + 1} is too long (limit: ${LINE_LENGTH_MAXIMUM} characters).`);
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield { number, text: line.trim() };
    }
  };
  for await (const chunk of chunks) yield* read(decoder.decode(chunk, { stream: true }));
  yield* read(`${decoder.decode()}\n`);
}
