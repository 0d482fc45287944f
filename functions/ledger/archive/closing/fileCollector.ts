import type { Attribution } from '../../records/attribution.ts';
import { addTotals, noTotals, totalsOfRecord } from '../archiveTotals.ts';
import { archiveFileWriter, GROUP_ROWS } from '../files/writeArchiveFile.ts';

/** Collects versions into row groups. The versions of a record are always in one group. */
export const fileCollector = () => {
  const writer = archiveFileWriter();
  const ids: { shard: number; first: string; last: string }[] = [];
  let group: Attribution[] = [];
  let record: Attribution[] = [];
  let rows = 0;
  let totals = noTotals;

  const endRecord = (): void => {
    const newest = record.at(-1);
    if (newest === undefined) return;
    totals = addTotals(totals, totalsOfRecord(newest, record));
    rows += record.length;
    group.push(...record);
    record = [];
  };
  const endGroup = (shard: number): void => {
    endRecord();
    const [first, last] = [group[0]?.record.id, group.at(-1)?.record.id];
    if (first === undefined || last === undefined) return;
    writer.group(group);
    const range = ids.find((one) => one.shard === shard);
    if (range === undefined) ids.push({ shard, first, last });
    else range.last = last;
    group = [];
  };

  return {
    rows: () => rows,
    startsRecord: ({ record: { id } }: Attribution): boolean => record[0]?.record.id !== id,
    add: (attribution: Attribution, shard: number): void => {
      if (record[0]?.record.id !== attribution.record.id) endRecord();
      if (group.length >= GROUP_ROWS) endGroup(shard);
      record.push(attribution);
    },
    endRecord,
    endGroup,
    end: () => ({ bytes: writer.end(), rows, ids, totals }),
  };
};
