import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expiredKeys } from '../../../../local/engines/sqsS3/s3Lifecycle.ts';

const at = (time: string): number => Date.parse(time);
const object = (key: string, lastModified: string) => ({ key, lastModified: new Date(lastModified) });

describe('expiredKeys', () => {
  test('expires an object at the first midnight after its days', () => {
    const objects = [object('a', '2026-01-01T10:00:00Z')];
    const rules = [{ prefix: '', days: 2 }];
    expect(expiredKeys(objects, rules, at('2026-01-03T23:59:59Z'))).toEqual([]);
    expect(expiredKeys(objects, rules, at('2026-01-04T00:00:00Z'))).toEqual(['a']);
  });

  test('applies the shortest rule whose prefix matches the key', () => {
    const objects = [object('brief/a', '2026-01-01T00:00:00Z'), object('b', '2026-01-01T00:00:00Z')];
    const rules = [
      { prefix: '', days: 30 },
      { prefix: 'brief/', days: 1 },
    ];
    expect(expiredKeys(objects, rules, at('2026-01-02T00:00:00Z'))).toEqual(['brief/a']);
  });

  test('expires an object between its last day and one day later', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.integer({ min: 1, max: 400 }),
        (lastModified, days) => {
          const objects = [{ key: 'a', lastModified }];
          const end = lastModified.getTime() + days * 86_400_000;
          expect(expiredKeys(objects, [{ prefix: '', days }], end - 1)).toEqual([]);
          expect(expiredKeys(objects, [{ prefix: '', days }], end + 86_400_000)).toEqual(['a']);
        },
      ),
    );
  });
});
