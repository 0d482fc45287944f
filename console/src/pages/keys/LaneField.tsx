import { getTenant } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import type { Entries } from '../../forms/entries.ts';
import { SelectField } from '../../forms/Field.tsx';

/** The lane of a new credential. A tenant without lanes has no such field. */
export const LaneField = () => {
  const lanes = useRead(['tenant'], getTenant).data?.residency ?? [];
  if (lanes.length === 0) return null;
  return (
    <SelectField
      name="residency"
      label="Data-residency lane"
      hint="With a lane, it sends and reads data of this lane only"
      options={[
        { value: '', label: `No lane: reads every lane, sends to ${lanes[0]}` },
        ...lanes.map((lane) => ({ value: lane, label: lane })),
      ]}
    />
  );
};

export const laneOf = (entries: Entries): { residency?: string } => {
  const residency = entries.text('residency');
  return residency === '' ? {} : { residency };
};

/** Below the scopes of a credential. */
export const LaneOfCredential = ({ lane }: { lane: string | null }) =>
  lane !== null && <span className="sub">lane {lane}</span>;
