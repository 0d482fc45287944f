import type { getUnownedReport } from '../../../../sdk/typescript/src/operations.ts';
import type { OwnerSuggestion, UnownedGroup, UnownedService } from '../../../../sdk/typescript/src/types.ts';
import { formatRange, formatShare, formatShareRange, plural } from '../../format/amount.ts';
import { DAY_MS, isoDay, startOfDay } from '../../format/time.ts';
import { HIDDEN, wordFor } from '../../format/words.ts';
import { codec, day, text } from '../../url/codec.ts';
import type { MappingDraft } from '../identity/MappingDialog.tsx';

export const ownersCodec = codec({ service: text(), from: day(), to: day() });
type OwnersState = ReturnType<typeof ownersCodec.read>;

const DAYS = 30;

/** The query of the page. The last day is included. */
export const queryOf = (
  { service, from, to }: OwnersState,
  now: number,
): NonNullable<Parameters<typeof getUnownedReport>[1]> => ({
  from: from ?? isoDay(startOfDay(now) - (DAYS - 1) * DAY_MS),
  to: isoDay((to === null ? startOfDay(now) : Date.parse(to)) + DAY_MS),
  ...(service !== '' && { service }),
});

/** The page that assigns an owner. */
export const ownersLink = (members: Partial<OwnersState>): string => {
  const search = ownersCodec.write({ ...ownersCodec.read(''), ...members });
  return search === '' ? '/owners' : `/owners?${search}`;
};

type Amounts = Pick<
  UnownedService,
  'cost_usd' | 'cost_usd_maximum' | 'share' | 'share_maximum' | 'invocations' | 'invocations_maximum'
>;

/** The known cost, as a range if privacy hides a part of it. */
export const costText = ({ cost_usd: low, cost_usd_maximum: high }: Amounts): string =>
  formatRange(low, high, 'cost');

export const shareText = ({ share: least, share_maximum: most }: Amounts): string =>
  least === null || most === null ? 'unknown' : formatShareRange({ least, most });

export const callsText = ({ invocations: least, invocations_maximum: most }: Amounts): string =>
  least === most ? plural(least, 'call') : `${least.toLocaleString('en-US')} – ${plural(most, 'call')}`;

export const nameOf = ({ kind, service = null }: UnownedService): string => {
  if (kind === 'folded') return HIDDEN;
  return kind === 'other' ? 'All other services' : (service ?? 'No service named');
};

/** What a suggestion rests on, in one sentence. */
export const evidenceOf = ({
  basis,
  field,
  value,
  calls,
  of,
  confidence,
  mapping,
}: OwnerSuggestion): string => {
  const named = field === null ? '' : `${wordFor(field).toLowerCase()} ${value ?? ''}`;
  const some = `${calls} of ${plural(of, 'call')}`;
  switch (basis) {
    case 'mapping':
      return `The mapping "${mapping?.name ?? ''}" names it, but began later: ${some}`;
    case 'rules':
      return `The calls name it, with too little confidence: ${some}`;
    case 'model':
      return confidence === null
        ? `Predicted for ${some}`
        : `Predicted for ${some}, confidence ${formatShare(confidence)}`;
    case 'name':
      return `Its name is in ${named}`;
    default:
      return `Owns ${calls} of ${plural(of, 'confirmed call')} with ${named}`;
  }
};

const CONDITIONS_NAME_LENGTH = 100;

export const conditionsText = ({ conditions }: Pick<UnownedGroup, 'conditions'>): string =>
  conditions.map(({ field, value }) => `${wordFor(field).toLowerCase()} ${value}`).join(' and ');

/** A mapping for a group, with the strongest suggestion as its owner. */
export const draftOf = (group: UnownedGroup, owner = group.suggestions[0]?.owner): MappingDraft => ({
  name: `Owner of ${conditionsText(group)}`.slice(0, CONDITIONS_NAME_LENGTH),
  conditions: group.conditions,
  ...(owner !== undefined && { owner }),
});
