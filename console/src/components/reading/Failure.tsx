import { useEffect, useState } from 'react';
import { AttributionError, ConnectionError, RateLimitError } from '../../../../sdk/typescript/src/errors.ts';

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
  if (error.status === 429) return 'Your limit of requests is used up for the moment.';
  if (error.status >= 500) return 'The service has a problem at the moment. Try again in a minute.';
  return error.problem?.detail ?? error.message;
};

/** The seconds that are left of a time that begins with the error. */
const useSecondsLeft = (error: Error): number => {
  const whole = error instanceof RateLimitError ? (error.retryAfterSeconds ?? 0) : 0;
  const [left, setLeft] = useState(whole);
  useEffect(() => {
    setLeft(whole);
    if (whole === 0) return;
    const end = Date.now() + whole * 1_000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [whole]);
  return left;
};

/** What failed, what to quote when it is reported, and a retry. */
export const Failure = ({ error, retry }: { error: Error; retry?: () => void }) => {
  const problem = error instanceof AttributionError ? error.problem : undefined;
  const left = useSecondsLeft(error);
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
        <button type="button" className="button" onClick={retry} disabled={left > 0}>
          {left > 0 ? `Try again in ${left} s` : 'Try again'}
        </button>
      )}
    </div>
  );
};
