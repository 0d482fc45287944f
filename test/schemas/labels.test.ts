import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { CredentialName } from '../../schemas/access/credential.ts';
import { budgetMembers } from '../../schemas/budgets.ts';
import { routes } from '../../schemas/routes/index.ts';
import { freeText, label } from '../../schemas/values.ts';
import { harmlessTexts, secretsByKind } from './secretKinds.ts';

const secrets = fc.oneof(
  ...secretsByKind.map(([kind, arbitrary]) => arbitrary.map((secret) => ({ kind, secret }))),
);
const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe.each([
  ['label', label(256)],
  ['freeText', freeText(512)],
  ['the name of a credential', CredentialName],
  ['the name of a budget', budgetMembers.name],
])('%s', (_, schema) => {
  it('refuses a secret with its kind, without its value', () => {
    fc.assert(
      fc.property(
        secrets.filter(({ secret }) => secret.length <= 120),
        ({ kind, secret }) => {
          const messages = messagesOf(schema, secret);

          expect(messages).toEqual([expect.stringContaining(kind)]);
          expect(messages.join()).not.toContain(secret);
        },
      ),
    );
  });
});

describe('label', () => {
  it.each(harmlessTexts.map(([name, texts]) => ({ name, texts })))('accepts $name', ({ texts }) => {
    fc.assert(
      fc.property(
        texts.filter((text) => text.length <= 256),
        (text) => messagesOf(label(256), text).length === 0,
      ),
    );
  });

  it.each([
    'Customer Support EMEA (production), assistant for returns and refunds',
    '検索ランキング担当チーム（本番環境）',
  ])('accepts the name %s', (name) => {
    expect(messagesOf(label(256), name)).toEqual([]);
  });

  it('refuses more than 12 words, whatever separates them', () => {
    const separator = fc.constantFrom(' ', '  ', '\u00a0', '\u3000');

    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 13, maxLength: 20 }),
        separator,
        (words, between) => {
          expect(messagesOf(label(256), words.join(between))).toEqual(['must have at most 12 words']);
        },
      ),
    );
  });

  it('refuses a sentence in a script without spaces', () => {
    const sentence =
      '以下の契約書を要約し、法務部門が確認すべき危険な条項をすべて列挙してから、各条項に対する修正案を提示してください。';

    expect(messagesOf(label(256), sentence)).toEqual(['must have at most 12 words']);
  });
});

describe('freeText', () => {
  it('accepts 12 words with any spaces around and between them', () => {
    const words = Array.from({ length: 12 }, () => 'word').join('   ');

    expect(messagesOf(label(256), `  ${words}  `)).toEqual([]);
  });

  it('accepts 48 characters of a script without spaces, and refuses one more', () => {
    expect(messagesOf(label(256), '語'.repeat(48))).toEqual([]);
    expect(messagesOf(label(256), '語'.repeat(49))).toEqual(['must have at most 12 words']);
  });

  it('accepts an explanation of 100 words and refuses one more', () => {
    const words = Array.from({ length: 100 }, () => 'word');

    expect(messagesOf(freeText(512), words.join(' '))).toEqual([]);
    expect(messagesOf(freeText(1_024), [...words, 'more'].join(' '))).toEqual([
      'must have at most 100 words',
    ]);
  });
});

describe('the route table', () => {
  /**
   * Texts that may hold a secret by design, or that are compared and never stored as sent. The credential of a bill source is
   * stored encrypted: see test/e2e/secretsNotStored.test.ts.
   */
  const EXEMPT = new Set([
    'url',
    'redirect_uris',
    'challenge',
    'credential',
    'cursor',
    'event_id',
    'chat_url',
  ]);

  const secret = ['sk', 'ant', 'api03', 'a'.repeat(40)].join('-');

  /** The paths of strings without a pattern, an enumeration or a format that accept the secret. */
  const acceptingPaths = (schema: z.ZodType, path = ''): string[] => {
    const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
    const inner = (part: unknown, at = path) => acceptingPaths(part as z.ZodType, at);
    switch (def.type) {
      case 'object':
        return Object.entries(def['shape'] as Record<string, z.ZodType>).flatMap(([name, member]) =>
          EXEMPT.has(name) ? [] : inner(member, `${path}/${name}`),
        );
      case 'array':
        return inner(def['element'], `${path}/0`);
      case 'union':
        return (def['options'] as unknown[]).flatMap((option) => inner(option));
      case 'optional':
      case 'nullable':
      case 'default':
      case 'nonoptional':
      case 'readonly':
        return inner(def['innerType']);
      case 'string':
        return schema.safeParse(secret).success ? [path] : [];
      default:
        return [];
    }
  };

  it('has no body member that stores a secret as sent', () => {
    const found = routes.flatMap(({ operation, body }) =>
      body === undefined || body.kind === 'form'
        ? []
        : acceptingPaths(body.schema).map((path) => `${operation} ${path}`),
    );

    expect(found).toEqual([]);
  });
});
