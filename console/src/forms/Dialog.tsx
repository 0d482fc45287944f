import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A modal dialog of the browser: it holds the focus, and Escape closes it. */
export const Dialog = ({ title, isWide = false, close, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={isWide ? 'wide' : ''} aria-labelledby={id} onClose={close}>
      <div className="body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
