import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretKindIn } from '../../schemas/labels/secretPatterns.ts';
import { harmlessTexts, secretsByKind } from './secretKinds.ts';

const RUNS = { numRuns: 200 };

describe('secretKindIn', () => {
  it.each(secretsByKind.map(([kind, secrets]) => ({ kind, secrets })))(
    'finds a $kind',
    ({ kind, secrets }) => {
      const around = fc.constantFrom(
        ['', ''],
        ['key ', ''],
        ['prod:', ' (old)'],
        ['"', '"'],
        ['owner=', ',team'],
      );

      fc.assert(
        fc.property(secrets, around, (secret, [before, after]) => {
          expect(secretKindIn(`${before}${secret}${after}`)).toBe(kind);
        }),
        RUNS,
      );
    },
  );

  it.each(harmlessTexts.map(([name, texts]) => ({ name, texts })))('finds none in $name', ({ texts }) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(secretKindIn(text)).toBeNull();
      }),
      RUNS,
    );
  });

  it('finds the secret access key of the AWS documentation, alone and with its name', () => {
    const key = ['wJalrXUtnFEMI/K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/');

    expect(secretKindIn(key)).toBe('AWS secret access key');
    expect(secretKindIn(`aws_secret_access_key=${key}`)).toBe('AWS secret access key');
  });

  it('needs linear time for text that almost matches', () => {
    const hostile = ['sk-', 'ey', 'xoxb-', 'https://', 'A', 'aA1', '-----BEGIN ', 'sk-a-', '/'].map((part) =>
      part.repeat(1_024).slice(0, 1_024),
    );
    const startedAt = performance.now();

    for (const text of hostile) for (let count = 0; count < 20; count += 1) secretKindIn(text);

    // 180 texts of 1,024 characters take about 10 ms. A pattern with backtracking would take seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
