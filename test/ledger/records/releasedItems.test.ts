import { readFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fromLedgerItem, type LedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import { dictionaries } from '../../../functions/ledger/records/ledgerItemDictionary.ts';

const Text = z.object({ S: z.string() }).transform(({ S }) => S);
const Amount = z.object({ N: z.string() }).transform(({ N }) => N);

/**
 * Items of the ledger as release 0.1 wrote them. Records are kept for 25 months and read by every later version. A release
 * that changes the format adds a file, and removes none that is younger than the retention.
 */
const released: readonly LedgerItem[] = z
  .array(
    z
      .object({
        cost: Amount.optional(),
        energy: Amount.optional(),
        carbon: Amount.optional(),
        tr: Text.optional(),
        dictionary: Amount,
        detail: z.object({ B: z.base64() }),
      })
      .transform(({ cost, energy, carbon, tr, dictionary, detail }) => ({
        cost: cost ?? null,
        energy: energy ?? null,
        carbon: carbon ?? null,
        trace: tr ?? null,
        dictionary: Number(dictionary),
        detail: new Uint8Array(Buffer.from(detail.B, 'base64')),
      })),
  )
  .parse(JSON.parse(readFileSync(new URL('items-0.1.json', import.meta.url), 'utf8')));

const priced = released.find(({ cost }) => cost !== null);
const unpriced = released.find(({ cost }) => cost === null);

/** The item as a later version writes it, with a member that this version does not know. */
const extended = (item: LedgerItem): LedgerItem => {
  const dictionary = dictionaries[item.dictionary];
  const options = dictionary === undefined ? {} : { dictionary };
  const detail: { readonly record: object } = JSON.parse(
    inflateRawSync(item.detail, options).toString('utf8'),
  );
  const text = JSON.stringify({ ...detail, added: 1, record: { ...detail.record, added_later: 'text' } });
  return { ...item, detail: new Uint8Array(deflateRawSync(text, options)) };
};

describe('a ledger item of the last release', () => {
  it('gives the record with its cost, owner and evidence', () => {
    const { record, explanation, storedEvent } = fromLedgerItem(priced ?? fail(), 'acme');

    expect(record).toMatchObject({
      tenant_id: 'acme',
      cost_usd: '0.0065',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      owner: 'ann@example.org',
      service: 'ranking',
    });
    expect(explanation).toBeDefined();
    expect(storedEvent).toBeDefined();
  });

  it('keeps an unknown cost unknown', () => {
    expect(fromLedgerItem(unpriced ?? fail(), 'acme').record.cost_usd).toBeNull();
  });

  it.each(released)('is readable with a member that only the next release knows', (item) => {
    expect(fromLedgerItem(extended(item), 'acme').record).toEqual(fromLedgerItem(item, 'acme').record);
  });
});

function fail(): never {
  throw new Error('The file has no such item');
}
