import { HIGHEST_TOKEN_PRICE, HIGHEST_UNIT_PRICES } from '../../../functions/impact/price/plausibleCost.ts';
import { STANDARD_NAMES } from '../../../functions/impact/price/rules/serviceTier.ts';
import { canonicalProvider, modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { regionName } from '../../../functions/impact/usage/regionName.ts';
import { fieldErrors, WITH_INPUT } from '../../../functions/platform/http/inputErrors.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { PriceLoad } from '../../../schemas/attribution/loadedPrices.ts';
import type { DatedPrice } from '../../../schemas/attribution/publishedPrices.ts';
import {
  type BandedPrices,
  isFeeKind,
  type KindPrices,
  pricedKinds,
  pricedTiers,
} from '../../../schemas/attribution/unitPrices.ts';
import { didYouMean } from '../../../sdk/shared/didYouMean.ts';

/** What is wrong with a file of prices, and where, as a JSON Pointer. */
interface Fault {
  readonly at: string;
  readonly detail: string;
}

/** The file of an operator is faulty. The message names each fault. */
export class FaultyPrices extends Error {
  override readonly name = 'FaultyPrices';
  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ at, detail }) => `  ${at === '' ? 'the file' : at}: ${detail}`);
    super([`The file has faults (${faults.length}). Nothing was changed.`, ...lines].join('\n'));
  }
}

type Section = PriceLoad['tiers'];

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A price far above all others is most often one for a token, an image or a thousand in the place of a million. */
const amountFaults = (prices: KindPrices, at: string): Fault[] =>
  pricedKinds.flatMap((kind) => {
    const [price, highest] = [prices[kind], { ...HIGHEST_UNIT_PRICES, request: '2000000' }];
    const bound = isFeeKind(kind)
      ? Object.entries(highest).find(([name]) => name === kind)?.[1]
      : HIGHEST_TOKEN_PRICE;
    if (price === undefined || bound === undefined || decimal(price).lte(bound)) return [];
    return [
      {
        at: `${at}/${kind}`,
        detail: `is above ${bound} USD per million, the highest known price of the kind`,
      },
    ];
  });

const bandedFaults = ({ bands = [], ...prices }: BandedPrices, at: string): Fault[] => [
  ...amountFaults(prices, at),
  ...bands.flatMap((band, index) => amountFaults(band, `${at}/bands/${index}`)),
];

const hasPrice = (prices: BandedPrices): boolean => pricedKinds.some((kind) => prices[kind] !== undefined);

const priceFaults = (price: DatedPrice, at: string): Fault[] => {
  const tiers = pricedTiers.flatMap((tier) => {
    const prices = price[tier];
    return prices === undefined ? [] : [{ tier, prices }];
  });
  const isPriced = hasPrice(price) || tiers.length > 0;
  return [
    ...bandedFaults(price, at),
    ...tiers.flatMap(({ tier, prices }) => bandedFaults(prices, `${at}/${tier}`)),
    ...(price.ended === true && isPriced ? [{ at, detail: 'has ended and a price: state one of them' }] : []),
    ...(price.ended !== true && !hasPrice(price) ? [{ at, detail: 'has no price' }] : []),
  ];
};

const providerFaults = (provider: string, at: string): Fault[] => {
  const canonical = canonicalProvider(provider);
  return canonical === provider ? [] : [{ at, detail: `must be written "${canonical}"` }];
};

const listFaults = ({ provider, regions = [], models }: PriceLoad['lists'][number], at: string): Fault[] => [
  ...providerFaults(provider, `${at}/provider`),
  ...regions.flatMap((region, index) =>
    regionName(region) === region
      ? []
      : [{ at: `${at}/regions/${index}`, detail: `must be written "${regionName(region)}"` }],
  ),
  ...Object.entries(models).flatMap(([model, prices]) => {
    const ofModel = `${at}/models/${escaped(model)}`;
    const identity = modelIdentity(provider, model);
    const place = identity.region === undefined ? '' : `, with regions ["${identity.region}"]`;
    const days = prices.map(({ from }) => from);
    return [
      ...(identity.model === model && identity.provider === canonicalProvider(provider)
        ? []
        : [{ at: ofModel, detail: `must be written "${identity.model}" of "${identity.provider}"${place}` }]),
      ...prices.flatMap((price, index) => [
        ...priceFaults(price, `${ofModel}/${index}`),
        ...(days.indexOf(price.from) < index
          ? [{ at: `${ofModel}/${index}/from`, detail: `has two prices from ${price.from}` }]
          : []),
      ]),
    ];
  }),
];

const aliasFaults = ({ provider, models }: PriceLoad['aliases'][number], at: string): Fault[] => [
  ...providerFaults(provider, `${at}/provider`),
  ...Object.entries(models).flatMap(([alias, targets]) => {
    const ofAlias = `${at}/models/${escaped(alias)}`;
    const days = targets.map(({ from }) => from);
    return [
      ...(alias === modelIdentity(provider, alias).model
        ? []
        : [{ at: ofAlias, detail: `must be written "${modelIdentity(provider, alias).model}"` }]),
      ...targets.flatMap(({ from, certain_from: certain, model }, index) => [
        ...(model === modelIdentity(provider, model).model
          ? []
          : [
              {
                at: `${ofAlias}/${index}/model`,
                detail: `must be written "${modelIdentity(provider, model).model}"`,
              },
            ]),
        ...(certain !== undefined && certain <= from
          ? [{ at: `${ofAlias}/${index}/certain_from`, detail: 'must be later than from' }]
          : []),
        ...(days.indexOf(from) < index
          ? [{ at: `${ofAlias}/${index}/from`, detail: `names two models from ${from}` }]
          : []),
      ]),
    ];
  }),
];

const isAbove = (one: string | undefined, other: string): boolean =>
  one !== undefined && decimal(one).gt(other);

const ruleFaults = (rule: Section[number], at: string, section: 'tiers' | 'places'): Fault[] => {
  const { providers = [], tiers, from, to, times, low, high } = rule;
  return [
    ...providers.flatMap((provider, index) => providerFaults(provider, `${at}/providers/${index}`)),
    ...(to !== undefined && to <= from ? [{ at: `${at}/to`, detail: 'must be later than from' }] : []),
    ...(times === undefined && low === undefined && high === undefined
      ? [{ at, detail: 'needs times, or low and high' }]
      : []),
    ...(isAbove(low, '1') ? [{ at: `${at}/low`, detail: 'must be at most 1' }] : []),
    ...(high !== undefined && !isAbove(high, '1') && high !== '1'
      ? [{ at: `${at}/high`, detail: 'must be at least 1' }]
      : []),
    ...(section === 'tiers' && tiers === undefined ? [{ at: `${at}/tiers`, detail: 'is required' }] : []),
    ...(tiers ?? []).flatMap((tier, index) =>
      tier === tier.toLowerCase() && !STANDARD_NAMES.has(tier)
        ? []
        : [{ at: `${at}/tiers/${index}`, detail: 'must be a tier in lower case, and not the standard one' }],
    ),
  ];
};

/** Two lists with a price of one model, region and day: nobody knows which is meant. */
const repeatFaults = ({ lists }: PriceLoad): Fault[] => {
  const first = new Map<string, string>();
  return lists.flatMap(({ provider, regions = [''], models }, list) =>
    Object.entries(models).flatMap(([model, prices]) =>
      regions.flatMap((region) =>
        prices.flatMap(({ from }) => {
          const key = JSON.stringify([provider, region, model, from]);
          const at = `/lists/${list}/models/${escaped(model)}`;
          const known = first.get(key);
          if (known === undefined) first.set(key, at);
          return known === undefined || known === at ? [] : [{ at, detail: `repeats ${known} from ${from}` }];
        }),
      ),
    ),
  );
};

const checkedFaults = (load: PriceLoad, today: string): Fault[] =>
  (['lists', 'tiers', 'places', 'aliases'] as const).flatMap((section) =>
    load[section].flatMap(({ checked }, index) =>
      checked > today ? [{ at: `/${section}/${index}/checked`, detail: 'is in the future' }] : [],
    ),
  );

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FaultyPrices([
      { at: '', detail: `is no JSON: ${error instanceof Error ? error.message : ''}` },
    ]);
  }
};

/** The prices of a file. Throws {@link FaultyPrices} with all faults. `today` is a day, such as 2026-12-01. */
export const checkPriceLoad = (text: string, today: string): PriceLoad => {
  const sent = parse(text);
  const { data: load, error } = PriceLoad.safeParse(sent, WITH_INPUT);
  if (error !== undefined) {
    throw new FaultyPrices(
      fieldErrors(error, PriceLoad, sent).map(({ pointer = '', detail, suggestion }) => ({
        at: pointer,
        detail: detail + didYouMean(suggestion),
      })),
    );
  }
  const { lists, tiers, places, aliases } = load;
  const isEmpty = [...lists, ...tiers, ...places, ...aliases].length === 0;
  const faults = [
    ...(isEmpty ? [{ at: '', detail: 'has no prices' }] : []),
    ...lists.flatMap((list, index) => listFaults(list, `/lists/${index}`)),
    ...tiers.flatMap((rule, index) => ruleFaults(rule, `/tiers/${index}`, 'tiers')),
    ...places.flatMap((rule, index) => ruleFaults(rule, `/places/${index}`, 'places')),
    ...aliases.flatMap((list, index) => aliasFaults(list, `/aliases/${index}`)),
    ...repeatFaults(load),
    ...checkedFaults(load, today),
  ];
  if (faults.length > 0) throw new FaultyPrices(faults);
  return load;
};
