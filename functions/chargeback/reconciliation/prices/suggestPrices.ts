import type { ContractPrices } from '../../../../schemas/attribution/contractPrices.ts';
import {
  SUGGESTED_PRICES_MAXIMUM,
  type SuggestedPrice,
  type TokenKind,
  tokenKinds,
} from '../../../../schemas/chargeback/suggestedPrices.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { type Decimal, decimal, sumDecimals } from '../../../platform/shared/decimal.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import type { Block } from '../comparison/blocks.ts';
import { recordedOf } from '../comparison/recorded.ts';
import { recordedTokens } from '../comparison/recordedTokens.ts';
import type { BilledTokens } from '../rows/billedTokens.ts';
import { effectivePrice } from './effectivePrice.ts';
import { roundingOf, type TokenCharge, unitPriceOf } from './unitPrice.ts';

interface TokenRow extends BilledTokens {
  readonly cost: string;
}

/** A block with the rows of its bills. */
interface TokenBlock {
  readonly block: Block;
  readonly rows: readonly TokenRow[];
}

/** The usage rows of a block. A row that does not say what it charges for, or has the price of a tier, is undefined. */
const tokenRowsOf = ({ bills }: Block): (TokenRow | undefined)[] =>
  bills
    .flatMap(({ rows }) => rows)
    // A charge of nothing has no price.
    .filter(({ usage, cost, tokens }) => usage && (cost !== '0' || tokens !== undefined))
    .map(({ cost, tokens, tier }) => (tier === undefined && tokens ? { cost, ...tokens } : undefined));

const ofKind = (rows: readonly TokenRow[], kind: TokenKind): TokenCharge[] =>
  rows.filter((row) => row.kind === kind);
const countOf = (charges: readonly TokenCharge[]): number =>
  charges.reduce((total, { count }) => total + count, 0);
const costOf = (charges: readonly { readonly cost: string }[]): string =>
  sumDecimals(charges.map(({ cost }) => cost));

/** Whether all calls and charges of a block are of its day, and the bill has exactly the recorded tokens of each kind. */
const hasSameTokens = ({ block, rows }: TokenBlock, kinds: ReadonlySet<TokenKind>): boolean => {
  const recorded = recordedTokens(block.cohorts, kinds);
  return (
    block.isPunctual &&
    rows.length > 0 &&
    tokenKinds.every((kind) => countOf(ofKind(rows, kind)) === (recorded.get(kind) ?? 0))
  );
};

/**
 * Whether the recorded cost of a block differs from its bill by more than rounding. Calls of unknown price add nothing to
 * it.
 */
const hasOtherCost = ({ block, rows }: TokenBlock, rounding: Decimal): boolean =>
  decimal(costOf(rows))
    .minus(recordedOf(block.cohorts).cost)
    .abs()
    .gt(rounding.times(String(rows.length)));

/** The models as the records name them: the most specific name that a price can have. */
const servedModels = (blocks: readonly TokenBlock[]): string[] => [
  ...new Set(
    blocks.flatMap(({ block }) =>
      block.cohorts.flatMap(({ parts }) => parts.map(({ cell }) => String(cell.labels.served_model))),
    ),
  ),
];

const evidenceOf = (
  blocks: readonly TokenBlock[],
  kinds: ReadonlySet<TokenKind>,
): Omit<SuggestedPrice['evidence'], 'from' | 'to'> => {
  const rows = blocks.flatMap((block) => block.rows);
  const recorded = blocks.map(({ block }) => recordedOf(block.cohorts));
  return {
    days: blocks.length,
    tokens: [...kinds].map((kind) => {
      const charges = ofKind(rows, kind);
      return { kind, count: countOf(charges), billed_usd: costOf(charges) };
    }),
    billed_usd: costOf(rows),
    recorded_usd: costOf(recorded),
    unpriced_invocations: recorded.reduce((total, { unpriced }) => total + unpriced, 0),
  };
};

/** The price that the bills of a model imply. Pass its blocks. */
const suggestPrice = (
  blocks: readonly Block[],
  { provider, model }: { readonly provider: string; readonly model: string },
  contractPrices: ContractPrices | null,
): SuggestedPrice | null => {
  const allRows = blocks.flatMap(tokenRowsOf);
  const rows = allRows.filter((row) => row !== undefined);
  if (rows.length < allRows.length) return null;

  const rounding = roundingOf(rows.map(({ cost }) => cost));
  const charges = rows.filter(({ count }) => count > 0);
  if (rows.some(({ cost, count }) => count === 0 && decimal(cost).abs().gt(rounding))) return null;
  const kinds = new Set(charges.map(({ kind }) => kind));
  const evidence = blocks
    .map((block) => ({ block, rows: tokenRowsOf(block).filter((row) => row !== undefined) }))
    .filter((block) => hasSameTokens(block, kinds) && hasOtherCost(block, rounding));
  const days = evidence.map(({ block }) => block.day).sort();
  const [from] = days;
  if (from === undefined) return null;

  const end = utcDateOf(Date.parse(days.at(-1) ?? from) + DAY_MS);
  const models = servedModels(evidence);
  const effective = effectivePrice(
    {
      provider,
      model: models.length === 1 ? String(models[0]) : model,
      from: `${from}T00:00:00Z`,
      // Every charge of the model must agree with one price, also those of days whose calls were not all recorded.
      ...Object.fromEntries([...kinds].map((kind) => [kind, unitPriceOf(ofKind(charges, kind), rounding)])),
      source: `Bills from ${from} until before ${end}`,
    },
    { models, days, regions: rows.map(({ region }) => region ?? null) },
    contractPrices,
  );
  return effective && { ...effective, evidence: { from, to: end, ...evidenceOf(evidence, kinds) } };
};

const differenceOf = ({ evidence }: SuggestedPrice): Decimal =>
  decimal(evidence.billed_usd).minus(evidence.recorded_usd).abs();

/**
 * The contract prices that the bills of a period imply, the largest difference first. Pass the blocks of the period. A block
 * without a shown provider and model is never used, so a suggestion covers whole cohorts and no suppressed ones.
 * `contractPrices` are those of the tenant at present; null if the caller may not read them.
 */
export const suggestPrices = (
  blocks: readonly Block[],
  contractPrices: ContractPrices | null,
): SuggestedPrice[] =>
  [...Map.groupBy(blocks, ({ line }) => JSON.stringify([line.provider, line.model])).values()]
    .flatMap((ofLine) => {
      const { provider, model } = ofLine[0]?.line ?? {};
      return (provider && model && suggestPrice(ofLine, { provider, model }, contractPrices)) || [];
    })
    .sort((one, other) => differenceOf(other).cmp(differenceOf(one)))
    .slice(0, SUGGESTED_PRICES_MAXIMUM);
