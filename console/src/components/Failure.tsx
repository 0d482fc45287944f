import { AttributionError, ConnectionError } from '../../../sdk/typescript/src/errors.ts';

const titleOf = (error: Error): string => {
  if (error instanceof ConnectionError) return 'The service did not answer';
  if (!(error instanceof AttributionError)) return 'Something failed in the console';
  if (error.status === 429) return 'Too many requests';
  if (error.status === 403) return 'You may not read this';
  return error.status === 404 ? 'Not found' : 'This could not be read';
};

/** The details of the API tell programs when to repeat a request. */
const detailOf = (error: Error): string => {
  if (error instanceof ConnectionError) return 'Check your connection, or try again in a minute.';
  if (!(error instanceof AttributionError)) return error.message;
  if (error.status === 429) return 'Your limit of requests is used up for the moment. Try again in a minute.';
  if (error.status >= 500) return 'The service has a problem at the moment. Try again in a minute.';
  return error.problem?.detail ?? error.message;
};

/** What failed, what to quote when it is reported, and a retry. */
export const Failure = ({ error, retry }: { error: Error; retry?: () => void }) => {
  const problem = error instanceof AttributionError ? error.problem : undefined;
  return (
    <div className="empty" role="alert">
      <h3>{titleOf(error)}</h3>
      <p>{detailOf(error)}</p>
      {problem?.error_code === 'INSUFFICIENT_SCOPE' && (
        <p>An administrator of your tenant can change your role.</p>
      )}
      {problem !== undefined && (
        <p className="quiet small mono">
          {problem.error_code} · trace {problem.trace_id}
        </p>
      )}
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
};
