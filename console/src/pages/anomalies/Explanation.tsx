import { useState } from 'react';
import { getAnomaly } from '../../../../sdk/typescript/src/operations.ts';
import type { Anomaly, ExplainedAnomaly } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { ChangeSteps } from '../../charts/waterfall/ChangeSteps.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatDays, formatMoment } from '../../format/time.ts';
import { mainPart, signed } from '../explore/change/changeText.ts';

/** When an anomaly began and what led to it, read when it is opened. */
export const Explanation = ({ anomaly: { id }, name }: { anomaly: Anomaly; name: string }) => {
  const [isOpen, setOpen] = useState(false);
  const explained = useRead(['anomalies', 'one', id], (client, options) => getAnomaly(client, id, options), {
    enabled: isOpen,
  });
  return (
    <details className="basis" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        What led to it<span className="visually-hidden"> ({name})</span>
      </summary>
      {isOpen && (
        <Loaded of={explained} height={240}>
          {(found) => <Cause found={found} />}
        </Loaded>
      )}
    </details>
  );
};

const Cause = ({ found: { change, first_hour: hour, movers, previous } }: { found: ExplainedAnomaly }) => {
  const [first] = movers;
  const name = first?.owner ?? first?.service ?? first?.served_model;
  const part = first === undefined ? null : mainPart(first);
  return (
    <div className="stack">
      <p className="small">
        {hour === null
          ? 'In which hour it began is not known.'
          : `It began in the hour from ${formatMoment(hour)}.`}
        {name != null &&
          first?.change_usd != null &&
          ` Largest change: ${name}, ${signed(first.change_usd)}.`}
        {part !== null && ` Mostly ${part}.`}
      </p>
      {previous.complete ? (
        <>
          <ChangeSteps of={change} />
          {change.parts === null && <p className="unknown">The change is unknown.</p>}
          <p className="quiet small">Compared with the same weekdays: {formatDays(previous.period)}.</p>
        </>
      ) : (
        <p className="quiet small">No calls are known from a week before, so the change cannot be divided.</p>
      )}
    </div>
  );
};
