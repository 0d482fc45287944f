import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renamePerson } from '../../../tools/operator/erasure/person/rename.ts';

describe('renamePerson', () => {
  const { text, json } = renamePerson('jane.doe', 'erased-1');

  it.each([
    ['jane.doe', 'erased-1'],
    ['The owner is jane.doe.', 'The owner is erased-1.'],
    ['user:jane.doe,jane.doe', 'user:erased-1,erased-1'],
    ['spiffe://prod/users/jane.doe/cli', 'spiffe://prod/users/erased-1/cli'],
    ['jane.doe: the owner', 'erased-1: the owner'],
  ])('replaces a whole name in %j', (before, after) => {
    expect(text(before)).toBe(after);
  });

  it.each([
    'jane.doe@example.org',
    'mary-jane.doe',
    'jane.doe-search',
    'jane.doe.junior',
    'janeXdoe',
    'Jane.Doe',
  ])('leaves the other name %j alone', (other) => {
    expect(text(other)).toBe(other);
  });

  it('replaces values and member names of JSON, and returns other JSON as it is', () => {
    expect(json('{"owner":"jane.doe","by":{"jane.doe":[1,"x"]}}')).toBe(
      '{"owner":"erased-1","by":{"erased-1":[1,"x"]}}',
    );
    expect(json('{ "owner": "search" }')).toBe('{ "owner": "search" }');
  });

  it('leaves no trace of any name, and returns to the same JSON when the pseudonym is replaced', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => name.trim() === name),
        fc.jsonValue(),
        (name, other) => {
          const before = JSON.stringify({ owner: name, other });
          const renamed = renamePerson(name, 'erased-0000000000000001').json(before);
          fc.pre(!before.includes('erased-'));
          expect(JSON.parse(renamed).owner).toBe('erased-0000000000000001');
          expect(renamePerson('erased-0000000000000001', name).json(renamed)).toBe(before);
        },
      ),
    );
  });
});
