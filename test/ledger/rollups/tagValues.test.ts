import { describe, expect, it } from 'vitest';
import { tagValues } from '../../../functions/ledger/rollups/tagValues.ts';

describe('the value of a tag', () => {
  it.each<[string, readonly string[], string | null]>([
    ['is the text after the key', ['env:prod', 'x'], 'prod'],
    ['may contain colons', ['env:a:b'], 'a:b'],
    ['is null without a tag of the key', ['environment:prod', 'env'], null],
    ['is one value when the tag is repeated', ['env:prod', 'env:prod'], 'prod'],
    ['is (several) when the key has several values', ['env:prod', 'env:dev'], '(several)'],
  ])('%s', (_, tags, value) => {
    expect(tagValues(tags, ['env'])).toEqual({ env: value });
  });
});
