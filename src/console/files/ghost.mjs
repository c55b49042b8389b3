/** The preview of a dragged booking at its new time. */
import { cellOf } from './lanes.mjs';

/** The booking at its proposed position, with its proposed time. */
export function drawGhost(move, { day, entry, label, isSame, isOffered }) {
  document.querySelector('.ghost')?.remove();
  if (move.days !== 0 || isSame || label === undefined) return;
  const hour = cellOf(day, move.row);
  const ghost = document.createElement(hour ? 'p' : 'li');
  ghost.className = isOffered ? 'ghost' : 'ghost bad';
  ghost.ariaHidden = 'true';
  ghost.textContent = isOffered ? label : `✕ ${label}: closed`;
  if (hour === undefined) return layIn(day, ghost, entry, move.row);
  ghost.style.top = `${hour.part * 100}%`;
  hour.cell.append(ghost);
}

/** In the lane of the entry, and as long. */
function layIn(day, ghost, entry, row) {
  const { gridColumn, gridRowEnd } = getComputedStyle(entry);
  const span = Math.min(
    Number.parseInt(gridRowEnd.replace('span', ''), 10) || 1,
    day.dataset.open.length - row,
  );
  ghost.style.gridColumn = gridColumn;
  ghost.style.gridRow = `${row + 1} / span ${span}`;
  day.append(ghost);
}
