// The canvas that a digit is drawn on: by pointer, or by the arrow keys and space.
const kPen = 22;
const kStep = 10;

export class Pad {
  /** `changed` is called after each stroke. */
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.context = canvas.getContext("2d", {willReadFrequently: true});
    this.pen = {x: canvas.width / 2, y: canvas.height / 4, down: false};
    this.clear();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.at = this.place(event);
      this.to(this.at);
      event.preventDefault();
      canvas.focus({focusVisible: false});
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.at) for (const e of event.getCoalescedEvents?.() ?? [event]) this.to(this.place(e));
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, () => {
        if (!this.at) return;
        this.at = null;
        this.changed();
      });
    }
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => this.show(false));
    canvas.addEventListener("focus", () => this.show(canvas.matches(":focus-visible")));
  }
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return {x: (event.clientX - box.left) * this.canvas.width / box.width, y: (event.clientY - box.top) * this.canvas.height / box.height};
  }
  style() {
    Object.assign(this.context, {lineWidth: kPen, lineCap: "round", lineJoin: "round", strokeStyle: "white", fillStyle: "black"});
  }
  to({x, y}) {
    this.style();
    this.context.beginPath();
    this.context.moveTo(this.at.x, this.at.y);
    this.context.lineTo(x + 0.01, y);
    this.context.stroke();
    this.at = {x, y};
  }
  clear() {
    this.style();
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.at = null;
  }
  // The place of the pen, while keys move it: an element over the canvas, so that it is no part of the digit.
  show(on) {
    const {x, y, down} = this.pen;
    const percent = (value) => `${100 * value / this.canvas.width}%`;
    const marker = this.canvas.parentElement.querySelector(".marker");
    marker.hidden = !on;
    marker.classList.toggle("down", down);
    marker.style.left = percent(x);
    marker.style.top = percent(y);
  }
  key(event) {
    const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    const move = moves[event.key];
    const pen = this.pen;
    if (move) {
      const inside = (value) => Math.min(this.canvas.width - kPen / 2, Math.max(kPen / 2, value));
      const next = {x: inside(pen.x + kStep * move[0]), y: inside(pen.y + kStep * move[1])};
      if (pen.down) {
        this.at = {x: pen.x, y: pen.y};
        this.to(next);
        this.at = null;
      }
      Object.assign(pen, next);
      if (pen.down) this.changed();
    } else if (event.key === " ") {
      pen.down = !pen.down;
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.clear();
      pen.down = false;
      this.changed();
    } else {
      return;
    }
    event.preventDefault();
    this.show(true);
  }
}
