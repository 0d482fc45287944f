import { useState } from 'react';
import { Icon } from './Icon.tsx';

/** Text that is copied with one click, such as a secret that is shown once. */
export const Copyable = ({ text, label }: { text: string; label: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="secret">
      <code>{text}</code>
      <button
        type="button"
        className="button"
        onClick={copy}
        aria-label={`${isCopied ? 'Copied' : 'Copy'} ${label}`}
      >
        <Icon name={isCopied ? 'check' : 'copy'} size={14} />
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
};
