import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BilledDay } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import { contractPriceSource } from '../../../../functions/impact/price/contractPrices.ts';
import { publishedRules } from '../../../../functions/impact/price/rules/publishedRules.ts';
import { decimal, sumDecimals } from '../../../../functions/platform/shared/decimal.ts';
import type { ContractPrice } from '../../../../schemas/attribution/contractPrices.ts';
import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';
import type { Rollup } from '../../../../schemas/ledger/rollup.ts';
import { anEvent } from '../../../attribution/engine/events.ts';
import { aBill, MILLION, MODEL, type Row, suggest } from '../priceFixtures.ts';
import { aDay, aGroup } from '../rollupFixtures.ts';

describe('a suggested price that is applied', () => {
  const kinds: readonly TokenKind[] = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'];
  /** A price per million with up to six digits. */
  const unitPrice = fc
    .integer({ min: 100_000, max: 99_999_999 })
    .map((units) => decimal(String(units)).div('1000000').toFixed());
  const prices = fc.record(
    {
      input: unitPrice,
      output: unitPrice,
      cached_input: unitPrice,
      cache_write: unitPrice,
      reasoning: unitPrice,
    },
    { requiredKeys: ['input', 'output'] },
  );
  const count = fc.integer({ min: 1, max: 50 * MILLION });
  const calls = fc.array(
    fc.record({ uncached: count, cached: count, written: count, visible: count, reasoning: count }),
    { minLength: 1, maxLength: 4 },
  );
  type Calls = readonly Readonly<
    Record<'uncached' | 'cached' | 'written' | 'visible' | 'reasoning', number>
  >[];
  const entryOf = (unitPrices: Partial<Record<TokenKind, string>>, from: string): ContractPrice => ({
    provider: 'openai',
    model: 'gpt-4o',
    from,
    ...unitPrices,
  });

  const recordAt = (list: readonly ContractPrice[], day: string, all: Calls): Rollup => {
    const factors = {
      version: 'test',
      prices: contractPriceSource([...list]),
      rules: publishedRules,
      aliases: new Map(),
    };
    const groups = all.map(({ uncached, cached, written, visible, reasoning }) => {
      const tokens = {
        input_tokens: uncached + cached + written,
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: visible + reasoning,
        reasoning_tokens: reasoning,
      };
      const event = anEvent({ provider: 'openai', served_model: MODEL, ...tokens });
      const { cost } = assessImpact(event, new Date(day), factors);
      return aGroup({
        served_model: MODEL,
        cost: cost?.central ?? '0',
        unpriced: cost === null ? 1 : 0,
        tokens,
      });
    });
    return aDay(day, groups);
  };
  const billAt = (
    unitPrices: Partial<Record<TokenKind, string>>,
    day: string,
    all: Calls,
    digits: number,
  ): BilledDay => {
    const own = new Map(kinds.map((kind) => [kind, 0]));
    const add = (kind: TokenKind, container: TokenKind, tokens: number) => {
      const counted = unitPrices[kind] === undefined ? container : kind;
      own.set(counted, (own.get(counted) ?? 0) + tokens);
    };
    for (const { uncached, cached, written, visible, reasoning } of all) {
      add('input', 'input', uncached);
      add('cached_input', 'input', cached);
      add('cache_write', 'input', written);
      add('output', 'output', visible);
      add('reasoning', 'output', reasoning);
    }
    const rows = [...own].flatMap(([kind, tokens]): Row[] => {
      const cost = decimal(unitPrices[kind] ?? '0')
        .times(String(tokens))
        .div('1000000');
      return tokens === 0 ? [] : [[kind, tokens, cost.round(digits).toFixed()]];
    });
    return aBill(day, rows);
  };
  const costOf = ({ groups }: Rollup) => sumDecimals(groups.map(({ figures }) => figures.cost_usd.central));
  const billedOf = ({ rows }: BilledDay) => sumDecimals(rows.map(({ cost }) => cost));

  it('makes the difference vanish up to the rounding of the bill, and is not suggested again', () => {
    const ofDays = fc.array(calls, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(prices, prices, ofDays, fc.integer({ min: 2, max: 12 }), (listed, agreed, all, digits) => {
        const list = [entryOf(listed, '2026-01-01T00:00:00Z')];
        const dayOf = (index: number) => `2026-04-0${index + 1}`;
        const bills = all.map((ofDay, index) => billAt(agreed, dayOf(index), ofDay, digits));
        const rollups = all.map((ofDay, index) => recordAt(list, dayOf(index), ofDay));

        const [suggestion] = suggest(rollups, bills);
        // Whole prices up to 100 USD, so twelve digits always show the price.
        if (digits >= 9) expect(suggestion?.price).toMatchObject(agreed);
        if (suggestion === undefined) return;

        const after = all.map((ofDay, index) => recordAt([...list, suggestion.price], dayOf(index), ofDay));
        const unit = decimal(`0.${'0'.repeat(digits)}5`);
        for (const [index, rollup] of after.entries()) {
          const bill = bills[index] ?? aBill('2026-04-01', []);
          const tolerance = unit.plus('0.000000001').times(String(bill.rows.length));
          if (bill.day < suggestion.evidence.from) continue;
          expect(decimal(billedOf(bill)).minus(costOf(rollup)).abs().lte(tolerance)).toBe(true);
        }
        expect(suggest(after, bills)).toEqual([]);
      }),
    );
  });
});
