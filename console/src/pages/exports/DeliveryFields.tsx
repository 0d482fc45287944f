import type { ExportSchedule } from '../../../../sdk/typescript/src/types.ts';
import type { Entries } from '../../forms/entries.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { useDestinations } from './useDestinations.ts';

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

interface DeliveryFieldsProps {
  readonly delivery?: Delivery | undefined;
  /** A delivery again needs a bucket. */
  readonly isRequired?: boolean;
}

/** Chooses a destination. Shows nothing to somebody who may not see destinations, or where there are none. */
export const DeliveryFields = ({ delivery, isRequired = false }: DeliveryFieldsProps) => {
  const destinations = useDestinations().data ?? [];
  if (destinations.length === 0) return null;
  return (
    <div className="pair">
      <SelectField
        name="destination"
        label="Deliver to"
        hint="A delivered export covers one month"
        defaultValue={delivery?.destination_id ?? NOWHERE}
        options={[
          ...(isRequired ? [] : [{ value: NOWHERE, label: 'No bucket' }]),
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
