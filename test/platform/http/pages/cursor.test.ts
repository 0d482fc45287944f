import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CursorBinding,
  type Position,
  readCursor,
  writeCursor,
} from '../../../../functions/platform/http/pages/cursor.ts';
import { ProblemError } from '../../../../functions/platform/shared/problem.ts';
import { CURSOR_LIFETIME_SECONDS } from '../../../../schemas/page.ts';

const KEY = new Uint8Array(32).fill(7);
const NOW = Date.parse('2026-05-01T12:00:00Z');
const BINDING: CursorBinding = {
  tenant: 'k3v9q2mc',
  lane: null,
  connector: null,
  operation: 'listAttribution',
  selection: '[["sort","occurred_at"]]',
};
const POSITION: Position = { after: '01ARZ3NDEKTSV4RRFFQ69G5FAV#000001', asOf: NOW - 1_000 };
const CURSOR = writeCursor(BINDING, POSITION, NOW, KEY);

const outcomeOf = (cursor: string, binding = BINDING, now = NOW, key = KEY): Position | string => {
  try {
    return readCursor(cursor, binding, now, key);
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  }
};

describe('a cursor', () => {
  it('returns the position it was made from', () => {
    const position = fc.record({ after: fc.string(), asOf: fc.nat({ max: 2 ** 45 }) });
    const binding = fc.record({
      tenant: fc.string(),
      lane: fc.option(fc.string()),
      connector: fc.option(fc.string()),
      operation: fc.string(),
      selection: fc.string(),
    });

    fc.assert(
      fc.property(
        binding,
        position,
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (binding, position, key) => {
          expect(outcomeOf(writeCursor(binding, position, NOW, key), binding, NOW, key)).toEqual(position);
        },
      ),
    );
  });

  it('needs no URL encoding and fits the maximum length of the parameter', () => {
    expect(CURSOR).toMatch(/^[\w.-]+$/);
    expect(CURSOR.length).toBeLessThan(512);
  });

  it('is refused with any single character changed', () => {
    const other = fc.constantFrom(...'ABCXYZabcxyz0189-_.=+/ ~é');

    for (let index = 0; index < CURSOR.length; index += 1) {
      fc.assert(
        fc.property(other, (character) => {
          fc.pre(character !== CURSOR[index]);
          expect(outcomeOf(CURSOR.slice(0, index) + character + CURSOR.slice(index + 1))).toBe(
            'INVALID_CURSOR',
          );
        }),
        { numRuns: 10 },
      );
    }
  });

  it('is refused with any single bit changed', () => {
    const [text = '', mac = ''] = CURSOR.split('.');
    for (const [part, whole] of [
      [text, (changed: string) => `${changed}.${mac}`],
      [mac, (changed: string) => `${text}.${changed}`],
    ] as const) {
      const bytes = Buffer.from(part, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(outcomeOf(whole(changed.toString('base64url')))).toBe('INVALID_CURSOR');
      }
    }
  });

  it('is refused when shortened or extended', () => {
    for (let length = 0; length < CURSOR.length; length += 1) {
      expect(outcomeOf(CURSOR.slice(0, length))).toBe('INVALID_CURSOR');
    }
    for (const tail of ['A', '=', '.', '.A', `.${CURSOR}`, ' ', '\0']) {
      expect(outcomeOf(CURSOR + tail)).toBe('INVALID_CURSOR');
    }
  });

  it('is refused with INVALID_CURSOR for any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(outcomeOf(text)).toBe('INVALID_CURSOR');
      }),
    );
  });

  it.each([
    ['lane', { ...BINDING, lane: 'eu' }],
    ['connector', { ...BINDING, connector: 'gateway' }],
    ['route', { ...BINDING, operation: 'listExports' }],
    ['filter or sort', { ...BINDING, selection: '[]' }],
  ])('is refused with another %s', (_, binding) => {
    expect(outcomeOf(CURSOR, binding)).toBe('INVALID_CURSOR');
  });

  it('is refused with TENANT_MISMATCH for another tenant, also when it has expired', () => {
    const other = { ...BINDING, tenant: 'zzzzzzzz' };

    expect(outcomeOf(CURSOR, other)).toBe('TENANT_MISMATCH');
    expect(outcomeOf(CURSOR, other, NOW + 2 * CURSOR_LIFETIME_SECONDS * 1_000)).toBe('TENANT_MISMATCH');
  });

  it('is valid for exactly one hour', () => {
    const end = NOW + CURSOR_LIFETIME_SECONDS * 1_000;

    expect(outcomeOf(CURSOR, BINDING, end - 1)).toEqual(POSITION);
    expect(outcomeOf(CURSOR, BINDING, end)).toBe('INVALID_CURSOR');
  });

  it('is refused with another key', () => {
    expect(outcomeOf(CURSOR, BINDING, NOW, new Uint8Array(32).fill(8))).toBe('INVALID_CURSOR');
  });
});
