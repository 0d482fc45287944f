import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { csvEncoder } from '../../../../functions/chargeback/exports/files/csv.ts';
import { type Layout, writeFiles } from '../../../../functions/chargeback/exports/files/files.ts';
import type { Row } from '../../../../functions/chargeback/exports/focus/cells.ts';

const layout = (members: Partial<Layout> = {}): Layout => ({
  encoder: () => csvEncoder([{ header: 'a', type: 'String' }], 'spreadsheet'),
  compressed: false,
  limits: { rows: 1_000 },
  batch: 3,
  ...members,
});

const numbered = (count: number): Row[] => Array.from({ length: count }, (_, index) => [`r${index}`]);

const written = async (rows: readonly Row[], members: Partial<Layout> = {}) => {
  const contents: Buffer[] = [];
  const closed: number[] = [];
  const files = await writeFiles([rows], layout(members), async (part) => ({
    write: async (bytes) => {
      contents[part - 1] = Buffer.concat([contents[part - 1] ?? Buffer.alloc(0), bytes]);
    },
    close: async () => {
      closed.push(part);
    },
  }));
  return { files, contents, closed };
};

const linesIn = (content: Buffer | undefined): string[] =>
  (content ?? Buffer.alloc(0)).toString().trim().split('\n');

describe('writeFiles', () => {
  it('returns rows, bytes and SHA-256 of a file', async () => {
    const { files, contents, closed } = await written(numbered(7));
    const [content = Buffer.alloc(0)] = contents;

    expect(linesIn(content)).toEqual(['a', ...numbered(7).flat()]);
    expect(closed).toEqual([1]);
    expect(files).toEqual([
      { rows: 7, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
    ]);
  });

  it('starts a new file with a header at the row limit, without losing rows', async () => {
    const { files, contents, closed } = await written(numbered(10), { limits: { rows: 6 } });

    expect(files.map(({ rows }) => rows)).toEqual([6, 4]);
    expect(contents.flatMap((content) => linesIn(content))).toEqual([
      'a',
      ...numbered(6).flat(),
      'a',
      ...numbered(10).slice(6).flat(),
    ]);
    expect(closed).toEqual([1, 2]);
  });

  it('starts a new file before the byte limit', async () => {
    const { files, contents } = await written(numbered(10), { limits: { rows: 100, bytes: 12 } });

    expect(files.map(({ rows }) => rows)).toEqual([3, 3, 3, 1]);
    expect(contents.every((content) => content.length <= 12)).toBe(true);
  });

  it('writes the same compressed bytes each time, without a timestamp', async () => {
    const [one, other] = [
      await written(numbered(5), { compressed: true }),
      await written(numbered(5), { compressed: true }),
    ];
    const [content = Buffer.alloc(0)] = one.contents;

    expect(content.subarray(4, 8)).toEqual(Buffer.alloc(4));
    expect(other.contents).toEqual(one.contents);
    expect(linesIn(gunzipSync(content))).toEqual(['a', ...numbered(5).flat()]);
    expect(one.files[0]?.bytes).toBe(content.length);
  });

  it.each([false, true])(
    'rejects without closing the file when the destination fails (compressed: %s)',
    async (compressed) => {
      let closed = false;
      const failing = writeFiles([numbered(5)], layout({ compressed }), async () => ({
        write: async () => {
          throw new Error('no room');
        },
        close: async () => {
          closed = true;
        },
      }));

      await expect(failing).rejects.toThrow('no room');
      expect(closed).toBe(false);
    },
  );
});
