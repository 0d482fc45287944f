import { listExportDestinations } from '../../../../sdk/typescript/src/operations.ts';
import type { ExportSchedule } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import type { Entries } from '../../forms/entries.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';

type Delivery = NonNullable<ExportSchedule['request']['delivery']>;

const NOWHERE = 'none';

/** The delivery that the fields choose. Without the fields, the one that a schedule has. */
export const deliveryOf = (entries: Entries, kept: Delivery | undefined): Delivery | undefined => {
  const destination = entries.text('destination');
  if (destination === '') return kept;
  return destination === NOWHERE
    ? undefined
    : { destination_id: destination, name: entries.text('report_name') };
};

/** Chooses a destination. Shows nothing to somebody who may not see destinations, or where there are none. */
export const DeliveryFields = ({ delivery }: { delivery?: Delivery | undefined }) => {
  const destinations =
    useList(['export-destinations'], (client, cursor, options) =>
      listExportDestinations(client, cursor, options),
    ).data ?? [];
  if (destinations.length === 0) return null;
  return (
    <div className="pair">
      <SelectField
        name="destination"
        label="Deliver to"
        hint="A delivered export covers one month"
        defaultValue={delivery?.destination_id ?? NOWHERE}
        options={[
          { value: NOWHERE, label: 'No bucket' },
          ...destinations.map(({ id, name, location }) => ({ value: id, label: `${name} (${location})` })),
        ]}
      />
      <TextField
        name="report_name"
        label="as the report"
        defaultValue={delivery?.name ?? 'chargeback'}
        required
      />
    </div>
  );
};
