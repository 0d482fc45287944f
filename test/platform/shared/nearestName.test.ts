import { describe, expect, it } from 'vitest';
import { missingName, nearestName, probableName } from '../../../functions/platform/shared/nearestName.ts';

const groups = [
  'owner',
  'service',
  'served_model',
  'requested_model',
  'pathway_category',
  'tag:env',
  'bill_id',
];

describe('the name that was probably meant', () => {
  it.each([
    ['a misspelt name', 'ownr', 'owner'],
    ['other case', 'Owner', 'owner'],
    ['a word of one name', 'pathway', 'pathway_category'],
    ['a word of one name in other case', 'ENV', 'tag:env'],
    ['a word of several names', 'model', undefined],
    ['a part of a word', 'mod', undefined],
    ['two letters, which are a word of one name', 'id', undefined],
    ['nothing', '', undefined],
    ['another word', 'colour', undefined],
  ])('%s: %s', (_, name, meant) => {
    expect(probableName(name, groups)).toBe(meant);
    expect(missingName(name, new Set(groups))).toEqual(meant === undefined ? {} : { suggestion: meant });
  });

  it('is none for a name that is known, and by spelling alone where other names are valid', () => {
    expect(missingName('owner', new Set(groups))).toBeNull();
    expect(nearestName('pathway', groups)).toBeUndefined();
  });
});
