import { priceChangeText } from '../../../../../sdk/shared/priceChange.ts';
import type { PriceChange } from '../../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../../format/amount.ts';
import { formatDayOfYear } from '../../../format/time.ts';

/** When prices of the shown models changed. */
export const PriceChanges = ({ changes }: { readonly changes: readonly PriceChange[] }) =>
  changes.length > 0 && (
    <ul className="plain small" aria-label="Price changes">
      {changes.map((change) => (
        <li key={`${change.at} ${change.provider} ${change.served_model}`}>
          <span className="quiet">{formatDayOfYear(change.at)}</span> {priceChangeText(change, formatUsd)}
        </li>
      ))}
    </ul>
  );
