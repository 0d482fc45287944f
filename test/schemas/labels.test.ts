import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CredentialName } from '../../schemas/identity/credential.ts';
import { budgetMembers } from '../../schemas/insight/budgets.ts';
import { canonicalText } from '../../schemas/labels/canonicalText.ts';
import { routes } from '../../schemas/routes/index.ts';
import { freeText, label } from '../../schemas/values.ts';
import { runs } from '../support/properties.ts';
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

describe('the canonical form of a label', () => {
  it.each([
    ['spaces at the ends', '  team ', 'team'],
    ['a no-break space', 'Team\u00A0Search', 'Team Search'],
    ['several spaces', 'Team \u2003 Search', 'Team Search'],
    ['a separator of lines', 'Team\u2028Search', 'Team Search'],
    ['a decomposed letter', 'jose\u0301', 'jos\u00E9'],
    ['a decomposed letter behind a mark of direction', 'jose\u200E\u0301', 'jos\u00E9'],
    ['a decomposed syllable', '\u1112\u1161\u11AB', '\uD55C'],
    ['a byte order mark', '\uFEFFteam', 'team'],
    ['a zero-width space', 'te\u200Bam', 'team'],
    ['a soft hyphen', 'te\u00ADam', 'team'],
    ['an isolate', '\u2067team\u2069', 'team'],
    ['an override of the direction', 'team\u202Egpj', 'teamgpj'],
    ['characters of tags', 'team\u{E0061}\u{E007F}', 'team'],
    ['a filler', 'team\u3164', 'team'],
    ['a selector of a variant', '\u2764\uFE0F', '\u2764'],
    ['a joiner between Latin letters', 'te\u200C\u200Dam', 'team'],
    ['a joiner at the end', '\u0645\u06CC\u200C', '\u0645\u06CC'],
  ])('has no %s', (_, sent, stored) => {
    expect(label(256).parse(sent)).toBe(stored);
  });

  it.each([
    ['Persian', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
    ['Hindi', '\u0915\u094D\u200D\u0937'],
    ['Sinhala', '\u0DC1\u0DCA\u200D\u0DBB\u0DD3'],
    ['an emoji of a family', '\u{1F469}\u200D\u{1F469}\u{1F3FD}\u200D\u{1F467}'],
  ])('keeps the joiners that the spelling of %s needs', (_, text) => {
    expect(label(256).parse(text)).toBe(text);
  });

  it.each([' ', '\u200B', '\u2066\u2069', '\u3164'])('refuses a label without anything to see', (text) => {
    expect(messagesOf(label(256), text)).not.toEqual([]);
  });

  it('finds a secret behind invisible characters', () => {
    const hidden = ['sk', 'ant', 'api\u200B03', 'a'.repeat(40)].join('-\u2060');

    expect(messagesOf(label(256), hidden)).toEqual([expect.stringContaining('Anthropic')]);
  });

  it('is stable, and composes what it keeps', () => {
    const unit = fc.constantFrom(
      ...'ae\u0301\u0308\u200C\u200D\u200B\u0645\u06CC\u064B\u0915\u094D \u00A0\u1112\u1161',
      '\u{1F469}',
    );
    const mixed = fc.string({ unit, maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), mixed), (text) => {
        const once = canonicalText(text);

        expect(canonicalText(once)).toBe(once);
        expect(canonicalText(text.normalize('NFD'))).toBe(once);
      }),
      { numRuns: runs(1_000) },
    );
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

  /** The paths of strings that break a rule. */
  const breakingPaths = (schema: z.ZodType, isBroken: (text: z.ZodType) => boolean, path = ''): string[] => {
    const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
    const inner = (part: unknown, at = path) => breakingPaths(part as z.ZodType, isBroken, at);
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
        return isBroken(schema) ? [path] : [];
      case 'pipe':
        // A text that the schema changes or drops is judged by the result, and a list by its values.
        if (def['in'] instanceof z.ZodString) return isBroken(schema) ? [path] : [];
        return def['in'] instanceof z.ZodPipe ? inner(def['out'], `${path}/0`) : [];
      default:
        return [];
    }
  };
  const brokenInBodies = (isBroken: (text: z.ZodType) => boolean): string[] =>
    routes.flatMap(({ operation, body }) =>
      body === undefined || body.kind === 'form'
        ? []
        : breakingPaths(body.schema, isBroken).map((path) => `${operation} ${path}`),
    );

  it('has no body member that stores a secret as sent', () => {
    expect(brokenInBodies((text) => text.safeParse(secret).data === secret)).toEqual([]);
  });

  it('has no member of a body or a query that keeps two spellings of one name apart', () => {
    const isApart = (text: z.ZodType): boolean => {
      const { success, data } = text.safeParse(' team\u200B\u00A0jose\u0301 ');
      return success && data !== 'team jos\u00E9';
    };

    expect(brokenInBodies(isApart)).toEqual([]);
    const names = /^\/(?:owner|service|provider|requested_model|served_model|region|tags)(?:\[|\/|$)/;
    expect(
      routes.flatMap(({ operation, query }) =>
        query === undefined
          ? []
          : breakingPaths(query, isApart)
              .filter((path) => names.test(path))
              .map((path) => `${operation} ${path}`),
      ),
    ).toEqual([]);
  });
});
