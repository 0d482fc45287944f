import type { Page } from '../../platform/http/pages/paging.ts';

/** A stored job at its position, and how the caller sees it. Null: it does not. */
interface Candidate<Job> {
  readonly ulid: string;
  readonly job: Job | null;
}

/**
 * The first `limit` jobs that the caller sees, of candidates from several stores. Each store has returned `read` candidates
 * at most, so beyond the last one of a full store, others may be missing.
 */
export const pageOfJobs = <Job>(
  stores: readonly (readonly Candidate<Job>[])[],
  limit: number,
  read: number,
): Page<Job> => {
  const ends = stores.flatMap((found) => (found.length < read ? [] : [found.at(-1)?.ulid ?? '']));
  const end = ends.toSorted().at(-1) ?? '';
  const newest = stores
    .flat()
    .filter(({ ulid }) => ulid >= end)
    .toSorted((one, other) => (one.ulid < other.ulid ? 1 : -1));
  const items: Job[] = [];
  for (const [index, { ulid, job }] of newest.entries()) {
    if (job !== null) items.push(job);
    const hasMore = index + 1 < newest.length || end !== '';
    if (items.length === limit) return { items, resume: hasMore ? ulid : null };
  }
  return { items, resume: end === '' ? null : end };
};
