import { ContractPrice } from '../../schemas/attribution/contractPrices.ts';
import {
  SUGGESTED_PRICES_MAXIMUM,
  type SuggestedPrice,
  type TokenKind,
  tokenKinds,
} from '../../schemas/suggestedPrices.ts';
import { modelIdentity } from '../impact/modelIdentity.ts';
import { contractPriceSource } from '../impact/price/contractPrices.ts';
import { type Decimal, decimal } from '../shared/decimal.ts';
import { DAY_MS } from '../shared/time/durations.ts';
import { type KeptRow, sumOf } from './bill.ts';
import type { BilledTokens } from './billedTokens.ts';
import type { Block } from './blocks.ts';
import { recordedOf } from './recorded.ts';
import { recordedTokens } from './recordedTokens.ts';
import { roundingOf, type TokenCharge, unitPriceOf } from './unitPrice.ts';

interface TokenRow extends BilledTokens {
  readonly cost: string;
}

const usageRows = ({ bills }: Block): KeptRow[] =>
  bills.flatMap(({ rows }) =>
    // A row that was withdrawn has no cost and no tokens.
    Object.values(rows).filter((row) => row.usage && (row.cost !== '0' || row.tokens !== undefined)),
  );

/** The usage rows of blocks. Null if one does not say what it charges for. */
const tokenRowsOf = (blocks: readonly Block[]): TokenRow[] | null => {
  const rows = blocks.flatMap(usageRows).map(({ cost, tokens }) => tokens && { cost, ...tokens });
  const known = rows.filter((row) => row !== undefined);
  return known.length === rows.length ? known : null;
};

const ofKind = (rows: readonly TokenRow[], kind: TokenKind): TokenCharge[] =>
  rows.filter((row) => row.kind === kind);
const countOf = (charges: readonly TokenCharge[]): number =>
  charges.reduce((total, { count }) => total + count, 0);

/** Whether all calls and charges of a block are of its day, and the bill has exactly the recorded tokens of each kind. */
const hasSameTokens = (block: Block, kinds: ReadonlySet<TokenKind>): boolean => {
  const rows = tokenRowsOf([block]) ?? [];
  const recorded = recordedTokens(block.cohorts, kinds);
  return (
    block.isPunctual &&
    block.cohorts.length > 0 &&
    rows.length > 0 &&
    tokenKinds.every((kind) => countOf(ofKind(rows, kind)) === (recorded.get(kind) ?? 0))
  );
};

/** Whether the recorded cost of a block differs from its bill by more than rounding, or is unknown. */
const hasOtherPrice = (block: Block, rounding: Decimal): boolean => {
  const rows = tokenRowsOf([block]) ?? [];
  const { cost, unpriced } = recordedOf(block.cohorts);
  const difference = decimal(sumOf(rows.map((row) => row.cost)))
    .minus(cost)
    .abs();
  return unpriced > 0 || difference.gt(rounding.times(String(rows.length)));
};

/** The models as the records name them: the most specific name that a price can have. */
const servedModels = (blocks: readonly Block[]): string[] => [
  ...new Set(
    blocks.flatMap(({ cohorts }) =>
      cohorts.flatMap(({ parts }) => parts.map(({ cell }) => cell.labels.served_model ?? '')),
    ),
  ),
];

/** The entry, if it is a valid contract price that applies to the calls of all these models. */
const ifApplicable = (entry: ContractPrice, models: readonly string[]): ContractPrice | null => {
  const price = ContractPrice.safeParse(entry);
  if (!price.success) return null;
  const source = contractPriceSource([price.data]);
  const at = new Date(price.data.from);
  const applies = models.every((name) => {
    const { provider, model } = modelIdentity(entry.provider, name);
    return source.find(provider, model, at, 0) !== null;
  });
  return applies ? price.data : null;
};

const suggestPrice = (blocks: readonly Block[]): SuggestedPrice | null => {
  const [first] = blocks;
  const { provider, model } = first?.line ?? {};
  const rows = tokenRowsOf(blocks);
  if (!provider || !model || rows === null || rows.length === 0) return null;

  const rounding = roundingOf(rows.map(({ cost }) => cost));
  const charges = rows.filter(({ count }) => count > 0);
  const kinds = new Set(charges.map(({ kind }) => kind));
  // Every charge of the model must agree with one price, also those of days whose calls were not all recorded.
  const prices = [...kinds].map((kind) => [kind, unitPriceOf(ofKind(charges, kind), rounding)] as const);
  const isContradicted = rows.some(({ cost, count }) => count === 0 && decimal(cost).abs().gt(rounding));
  if (isContradicted || prices.some(([, price]) => price === null)) return null;

  const evidence = blocks
    .filter((block) => hasSameTokens(block, kinds) && hasOtherPrice(block, rounding))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
  const [from, to] = [evidence.at(0)?.day, evidence.at(-1)?.day];
  if (from === undefined || to === undefined) return null;
  const end = new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
  const models = servedModels(evidence);
  const [served = model] = models;
  const price = ifApplicable(
    {
      provider,
      model: models.length === 1 && !served.endsWith('*') ? served : model,
      from: `${from}T00:00:00Z`,
      ...Object.fromEntries(prices),
      source: `Bills from ${from} until before ${end}`,
    },
    models,
  );
  if (price === null) return null;

  const evidenceRows = tokenRowsOf(evidence) ?? [];
  const recorded = evidence.map(({ cohorts }) => recordedOf(cohorts));
  return {
    price,
    evidence: {
      from,
      to: end,
      days: evidence.length,
      tokens: [...kinds].map((kind) => {
        const charges = ofKind(evidenceRows, kind);
        return { kind, count: countOf(charges), billed_usd: sumOf(charges.map(({ cost }) => cost)) };
      }),
      billed_usd: sumOf(evidenceRows.map(({ cost }) => cost)),
      recorded_usd: sumOf(recorded.map(({ cost }) => cost)),
      unpriced_invocations: recorded.reduce((total, { unpriced }) => total + unpriced, 0),
    },
  };
};

const differenceOf = ({ evidence }: SuggestedPrice): Decimal =>
  decimal(evidence.billed_usd).minus(evidence.recorded_usd).abs();

/**
 * The contract prices that the bills of a period imply, the largest difference first. Pass the blocks of the period. A block
 * without a shown provider and model is never used, so a suggestion covers whole cohorts and no suppressed ones.
 */
export const suggestPrices = (blocks: readonly Block[]): SuggestedPrice[] =>
  [...Map.groupBy(blocks, ({ line }) => JSON.stringify([line.provider ?? null, line.model ?? null])).values()]
    .flatMap((ofLine) => suggestPrice(ofLine) ?? [])
    .sort((one, other) => differenceOf(other).cmp(differenceOf(one)))
    .slice(0, SUGGESTED_PRICES_MAXIMUM);
