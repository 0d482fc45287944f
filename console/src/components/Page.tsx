import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its heading, which also names the tab, one sentence, and its actions. */
export const Page = ({ title, lead, back, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Inference Attribution`;
  }, [title]);
  return (
    <>
      <div className="head">
        <div>
          {back !== undefined && <div className="back">{back}</div>}
          <h1>{title}</h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div className="controls">{actions}</div>}
      </div>
      {children}
    </>
  );
};
