import { useEffect, useState } from 'react';

/** Changes that follow each other quickly, such as typed dates, are one reading. */
const SETTLE_MS = 250;

/** The value, once it has stayed the same for a moment. */
export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};
