import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageOfJobs } from '../../../functions/tenants/jobs/pageOfJobs.ts';

const newestFirst = (ids: readonly string[]) => ids.toSorted().toReversed();

it('lists every job that the caller sees once, newest first, from stores of any sizes', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 24 });
  fc.assert(
    fc.property(
      ids,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(6),
      (all, stores, limit, more) => {
        const read = limit + 1 + more;
        const names = all.map((id) => String(id).padStart(2, '0'));
        const isSeen = (name: string) => Number(name) % 3 !== 0;
        const held = Array.from({ length: stores }, (_, store) =>
          newestFirst(names.filter((name) => Number(name) % stores === store)),
        );
        const listed: string[] = [];
        let after: string | null = '~';
        for (let pages = 0; after !== null; pages += 1) {
          expect(pages).toBeLessThanOrEqual(all.length);
          const start: string = after;
          const found = held.map((one) =>
            one
              .filter((ulid) => ulid < start)
              .slice(0, read)
              .map((ulid) => ({ ulid, job: isSeen(ulid) ? ulid : null })),
          );
          const page = pageOfJobs(found, limit, read);
          expect(page.items.length).toBeLessThanOrEqual(limit);
          listed.push(...page.items);
          after = page.resume;
        }
        expect(listed).toEqual(newestFirst(names.filter(isSeen)));
      },
    ),
  );
});
