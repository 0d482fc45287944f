import type { Month } from '../../../../platform/shared/time/month.ts';
import type { ReportedCharge } from '../reports/costReport.ts';
import { failReport, type ReportFailure } from '../reports/readReport.ts';
import type { Delivery } from './dataExport.ts';
import { ExportTooLarge, footerLengthOf, type ReadRange, readLineItems } from './exportFile.ts';
import type { ExportObject, ReadObject } from './exportObjects.ts';
import { statementOf } from './statement.ts';

/** Bytes at the end of a file that are read first: the footer of most files, and all of a small one. */
const TAIL_BYTES = 256 * 1_024;
/** Bytes of one request, less than the guarded client accepts. */
const PART_BYTES = 3 * 1_024 * 1_024;
/** Bytes of a month that are read. Only the columns that are needed count. */
const MONTH_BYTES_MAXIMUM = 512 * 1_024 * 1_024;

/** Stops the work of a month with the failure of a request. */
class RequestFailed extends Error {
  readonly failure: ReportFailure;
  constructor(failure: ReportFailure) {
    super('a request failed');
    this.failure = failure;
  }
}

const requireObject = (outcome: ExportObject | ReportFailure): ExportObject => {
  if (outcome.kind === 'failed') throw new RequestFailed(outcome);
  return outcome;
};

/**
 * Reads the charges of a delivery. Every read names the version of the file that was opened, and a file that is newer than
 * its manifest belongs to a delivery that is not complete: then the import is tried again. Throws for files that are not of
 * the documented form or too large.
 */
export const readMonth = async (
  { files, deliveredAt }: Delivery,
  month: Month,
  { readObject, isOver }: { readonly readObject: ReadObject; readonly isOver: () => boolean },
): Promise<{ charges: ReadonlyMap<number, readonly ReportedCharge[]> } | ReportFailure> => {
  const statement = statementOf(month);
  let bytesRead = 0;

  const readPart = async (key: string, range: string, etag?: string): Promise<ExportObject> => {
    // A month begins early enough to have minutes, so one that takes longer never completes.
    if (isOver()) throw new ExportTooLarge('the time of a run was over');
    const part = requireObject(await readObject(key, { range, ...(etag !== undefined && { etag }) }));
    bytesRead += part.body.length;
    if (bytesRead > MONTH_BYTES_MAXIMUM) throw new ExportTooLarge('a month has too many bytes');
    return part;
  };

  const readFile = async (key: string): Promise<void> => {
    const end = await readPart(key, `bytes=-${TAIL_BYTES}`);
    const { body: tail, size, etag, lastModified } = end;
    if (!(Date.parse(lastModified) <= deliveredAt)) throw new RequestFailed(failReport('unavailable'));
    const tailStart = size - tail.length;
    const read: ReadRange = async (start, until) => {
      if (!(start >= 0 && start <= until && until <= size)) throw new RangeError('outside of the file');
      if (start >= tailStart) return tail.subarray(start - tailStart, until - tailStart);
      const parts: Uint8Array[] = [];
      for (let at = start; at < until; at += PART_BYTES) {
        const last = Math.min(until, at + PART_BYTES) - 1;
        parts.push((await readPart(key, `bytes=${at}-${last}`, etag)).body);
      }
      return Buffer.concat(parts);
    };
    const length = footerLengthOf(tail);
    const footer = length <= tail.length ? tail : await read(size - length, size);
    await readLineItems({ footer, size, read }, statement.add);
  };

  try {
    for (const file of files) await readFile(file);
  } catch (error) {
    if (error instanceof RequestFailed) return error.failure;
    throw error;
  }
  return { charges: statement.byDay() };
};
