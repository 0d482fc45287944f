import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ItemBudget } from '../../../functions/platform/shared/itemBudget.ts';
import { parseJson } from '../../../functions/platform/shared/json.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';

const DEPTH_MAXIMUM = 32;
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** The parsed value, or the error code. Any other error fails the test. */
const outcomeOf = (input: string | Uint8Array): { value: unknown } | string => {
  try {
    return {
      value: parseJson(typeof input === 'string' ? Buffer.from(input) : input, new ItemBudget(10_000_000)),
    };
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  }
};
const REFUSED = 'INVALID_REQUEST';

/** Whether valid JSON contains something forbidden. Works token by token, unlike the code under test. */
const isHazardous = (json: string): boolean => {
  const open: Set<string>[] = [];
  for (const [token, name] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    if (token === '}' || token === ']') open.pop();
    if (open.length > DEPTH_MAXIMUM) return true;
    if (name === undefined) continue;
    const read = String(JSON.parse(name));
    if (FORBIDDEN.includes(read) || open.at(-1)?.has(read)) return true;
    open.at(-1)?.add(read);
  }
  return false;
};

const expected = (text: string): ReturnType<typeof outcomeOf> => {
  try {
    const value: unknown = JSON.parse(text);
    return isHazardous(text) ? REFUSED : { value };
  } catch {
    return REFUSED;
  }
};

/** A JSON string literal of `text`, with some of its characters escaped. */
const spelled = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('plain', 'lower', 'upper'), { minLength: text.length, maxLength: text.length })
    .map(
      (ways) =>
        `"${[...text]
          .map((character, index) => {
            const code = character.charCodeAt(0).toString(16).padStart(4, '0');
            if (ways[index] === 'plain') return character;
            return `\\u${ways[index] === 'upper' ? code.toUpperCase() : code}`;
          })
          .join('')}"`,
    );

/** Wraps a member in a larger JSON value at a random position. */
const around = fc.constantFrom(
  (member: string) => `{${member}}`,
  (member: string) => `[1,{"a":"}{",${member}}]`,
  (member: string) => `{"a\\"":[{"b":{"c":null , ${member} }}]}`,
);

describe('parseJson', () => {
  it('returns the result of JSON.parse for text without a hazard', () => {
    const values = fc.jsonValue({ depthSize: 'medium' });
    const indent = fc.constantFrom(undefined, 1, '\t');

    fc.assert(
      fc.property(values, indent, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(outcomeOf(text)).toEqual(expected(text));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses exactly the text that JSON.parse refuses or that contains a hazard', () => {
    const fragment = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\"',
        '\\\\',
        '\\u005f',
        ' ',
        '\n',
        '1',
        '-0',
        '1e9',
        'true',
      ],
      ...[
        'null',
        '"a"',
        '"a":',
        '"__proto__":',
        '"prototype"',
        '"constructor" :',
        '\u0000',
        'é',
        '\ud83d\ude00',
      ],
    );

    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), (fragments) => {
        const text = fragments.join('');
        expect(outcomeOf(text)).toEqual(expected(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('refuses bytes that are not UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 8 }), (bytes) => {
        const body = Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')]);
        const isUtf8 = body.toString('utf8').includes('\ufffd') === false;
        fc.pre(!isUtf8);
        expect(outcomeOf(body)).toBe(REFUSED);
      }),
    );
  });

  it('refuses names that reach a prototype, escaped or not, at any depth', () => {
    const name = fc.constantFrom(...FORBIDDEN).chain(spelled);

    fc.assert(
      fc.property(name, around, fc.constantFrom('', ' ', '\n\t'), (literal, wrap, gap) => {
        expect(outcomeOf(wrap(`${literal}${gap}:{"polluted":true}`))).toBe(REFUSED);
      }),
    );
    expect(Reflect.has({}, 'polluted')).toBe(false);
  });

  it.each(FORBIDDEN)('refuses the single name %s', (name) => {
    expect(outcomeOf(`{"a":1,"${name}":1}`)).toBe(REFUSED);
    expect(outcomeOf(`{"${name}s":1,"a${name}":2}`)).toHaveProperty('value');
  });

  it('accepts such a name as a value', () => {
    expect(outcomeOf('{"kind":"constructor","names":["__proto__"]}')).toEqual({
      value: { kind: 'constructor', names: ['__proto__'] },
    });
  });

  it('refuses a repeated name, also if one of them is escaped', () => {
    const twice = fc.stringMatching(/^[a-z_]{1,8}$/).chain((name) => fc.tuple(spelled(name), spelled(name)));

    fc.assert(
      fc.property(twice, around, ([first, second], wrap) => {
        expect(outcomeOf(wrap(`${first}:1,"between":2,${second}:3`))).toBe(REFUSED);
      }),
    );
  });

  it.each([
    ['arrays', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ])('accepts 32 levels of nesting in %s and refuses 33', (_, nested) => {
    expect(outcomeOf(nested(DEPTH_MAXIMUM))).toHaveProperty('value');
    expect(outcomeOf(nested(DEPTH_MAXIMUM + 1))).toBe(REFUSED);
    expect(outcomeOf(nested(100_000))).toBe(REFUSED);
    expect(outcomeOf('['.repeat(100_000))).toBe(REFUSED);
  });

  it('does not count brackets in strings as nesting', () => {
    expect(outcomeOf(JSON.stringify(`"${'[{'.repeat(100)}`))).toHaveProperty('value');
  });
});
