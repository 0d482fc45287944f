import type { OwnerSuggestion, UnownedGroup, UnownedService } from '../../../../sdk/typescript/src/types.ts';
import { formatRange, formatShare, formatShareRange, plural } from '../../format/amount.ts';
import { HIDDEN, wordFor } from '../../format/words.ts';
import type { MappingDraft } from '../identity/MappingDialog.tsx';

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
