import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { readFooter, readGroup } from '../../../functions/ledger/archive/files/readArchiveFile.ts';
import { archiveFileWriter } from '../../../functions/ledger/archive/files/writeArchiveFile.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { anyEvent, aTenant, noFactors } from '../../attribution/engine/events.ts';

const tenant = aTenant();
const NOW = Date.parse('2027-07-01T00:00:00Z');

const anyAttribution = fc
  .record({ event: anyEvent, version: fc.integer({ min: 1, max: 99 }) })
  .map(({ event, version }): Attribution => {
    const occurredAt = Date.parse(event.occurred_at ?? event.ingestion_timestamp);
    const facts = { occurredAt, receivedAt: NOW, residency: null };
    const attribution = attribute(event, facts, tenant, noFactors);
    return { ...attribution, record: { ...attribution.record, version } };
  });

/** Reads the groups of a file as the service does: the footer, then the bytes of each group. */
const readAll = async (file: Uint8Array): Promise<Attribution[][]> => {
  const footer = readFooter(file, file.length);
  if (footer === null) throw new Error('the file has no footer');
  return Promise.all(
    footer.groups.map(async (group) => {
      const bytes = file.subarray(group.start, group.end);
      return (await readGroup(footer, group, bytes, tenant.tenant_id)).map(({ read }) => read());
    }),
  );
};

describe('a file of the archive', () => {
  it('returns every version as it was, to the last digit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyAttribution, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        async (groups) => {
          const writer = archiveFileWriter();
          for (const group of groups) writer.group(group);
          expect(await readAll(writer.end())).toEqual(groups);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('names the smallest and the greatest id of each group, and where its bytes are', () => {
    const [rows] = fc.sample(fc.array(anyAttribution, { minLength: 20, maxLength: 20 }), {
      seed: 1,
      numRuns: 1,
    });
    const ids = (rows ?? []).map(({ record }) => record.id).sort();
    const writer = archiveFileWriter();
    writer.group(rows ?? []);
    const file = writer.end();
    const footer = readFooter(file, file.length);
    expect(footer?.groups).toMatchObject([{ first: ids[0], last: ids.at(-1), firstRow: 0, rows: 20 }]);
  });

  it('asks for more bytes when its footer is longer than those that were read', () => {
    const file = archiveFileWriter().end();
    expect(readFooter(file.subarray(-64), file.length)).toBeNull();
  });
});
