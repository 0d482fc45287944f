import { AttributionError } from '../../../sdk/typescript/src/errors.ts';

/** Why a form was not accepted. Faults of single fields are shown at the fields. */
export const FormFailure = ({ error }: { error: Error }) => {
  const problem = error instanceof AttributionError ? error.problem : undefined;
  return (
    <div role="alert" className="callout bad">
      <span>
        {problem?.detail ?? error.message}
        {problem !== undefined && (
          <span className="sub mono">
            {problem.error_code} · trace {problem.trace_id}
          </span>
        )}
      </span>
    </div>
  );
};
