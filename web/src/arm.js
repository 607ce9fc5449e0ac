// The animated arm: it replays the recording.
import {
  Box3, BoxGeometry, Color, CylinderGeometry, DirectionalLight, GridHelper, Group, HemisphereLight, Line,
  BufferGeometry, Float32BufferAttribute, LineBasicMaterial, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera,
  Quaternion, Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const colour = (name) => new Color(getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
const UP = new Vector3(0, 1, 0);

function floats(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

function poseOf(joint) {
  const r = joint.R, p = joint.p;  // R is column-major
  return new Matrix4().set(r[0], r[3], r[6], p[0], r[1], r[4], r[7], p[1], r[2], r[5], r[8], p[2], 0, 0, 0, 1);
}

// pose of frame j in frame j - 1 at position zero, and the axis in frame j
function chainOf(joints) {
  let before = new Matrix4();
  return joints.map((joint) => {
    const pose = poseOf(joint);
    const fixed = before.clone().invert().multiply(pose);
    const axis = new Vector3(...joint.axis).transformDirection(pose.clone().invert());
    before = pose;
    return { fixed, axis, slides: joint.slides };
  });
}

// poses of all frames in the base frame, for positions q
function posesAt(chain, q) {
  const poses = [];
  let pose = new Matrix4();
  chain.forEach((c, j) => {
    const move = c.slides
      ? new Matrix4().makeTranslation(c.axis.x * q[j], c.axis.y * q[j], c.axis.z * q[j])
      : new Matrix4().makeRotationAxis(c.axis, q[j]);
    pose = pose.clone().multiply(c.fixed).multiply(move);
    poses.push(pose);
  });
  return poses;
}

function between(mesh, a, b) {
  const d = b.clone().sub(a), length = d.length();
  mesh.visible = length > 1e-6;
  if (!mesh.visible) return;
  mesh.position.copy(a).addScaledVector(d, 0.5);
  mesh.quaternion.setFromUnitVectors(UP, d.divideScalar(length));
  mesh.scale.set(1, length, 1);
}

// a link as a solid ellipsoid of the same mass and inertia, in the frame of its joint
function ellipsoid(body, material) {
  const mesh = new Mesh(new SphereGeometry(1, 32, 20), material);
  const a = body.axes, s = body.semi.map((x) => Math.max(x, 1e-3)), c = body.centre;
  // the sign of the third axis makes a rotation of the principal axes
  const turn = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[3] * (a[1] * a[8] - a[2] * a[7]) + a[6] * (a[1] * a[5] - a[2] * a[4]) < 0 ? -1 : 1;
  mesh.matrixAutoUpdate = false;
  mesh.own = new Matrix4().set(
    a[0] * s[0], a[3] * s[1], turn * a[6] * s[2], c[0], a[1] * s[0], a[4] * s[1], turn * a[7] * s[2], c[1],
    a[2] * s[0], a[5] * s[1], turn * a[8] * s[2], c[2], 0, 0, 0, 1);
  return mesh;
}

class Arm {
  constructor(spec, reach) {
    this.chain = chainOf(spec.joints);
    this.group = new Group();
    const thick = reach / 28;
    this.skin = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.1 });
    this.drum = new MeshStandardMaterial({ roughness: 0.45, metalness: 0.15 });
    const rod = new CylinderGeometry(thick, thick, 1, 28);
    this.rods = this.chain.map(() => this.add(new Mesh(rod, this.skin)));
    this.knobs = this.chain.map(() => this.add(new Mesh(new SphereGeometry(thick, 28, 20), this.skin)));
    this.drums = this.chain.map((c) =>
      this.add(new Mesh(c.slides ? new BoxGeometry(2.6 * thick, 3.2 * thick, 2.6 * thick) : new CylinderGeometry(1.45 * thick, 1.45 * thick, 2.7 * thick, 32), this.drum)));
    this.guess = new MeshStandardMaterial({ roughness: 0.8, transparent: true, opacity: 0.22, depthWrite: false });
    this.bodies = spec.capsules.map((c) => {
      const material = c.assumed ? this.guess : this.skin;
      const mesh = this.add(new Mesh(new CylinderGeometry(c.radius, c.radius, 1, 24, 1, true), material));
      const ends = [0, 1].map(() => this.add(new Mesh(new SphereGeometry(c.radius, 24, 16), material)));
      return { mesh, ends, link: c.link, from: new Vector3(...c.from), to: new Vector3(...c.to) };
    });
    const glass = () => new MeshStandardMaterial({ roughness: 0.6, transparent: true, opacity: 0.45, depthWrite: false });
    this.glass = { file: glass(), identified: glass() };
    this.links = { file: [], identified: [] };
    for (const b of spec.bodies ?? [])
      for (const which of Object.keys(this.links))
        if (b[which]) this.links[which].push({ mesh: this.add(ellipsoid(b[which], this.glass[which])), link: b.link });
    this.show("none");
    this.colours();
  }
  // "none", "file", "identified" or "both": which ellipsoids are visible; the skin is thin then
  show(what) {
    this.shown = what;
    for (const which of Object.keys(this.links))
      for (const { mesh } of this.links[which]) mesh.visible = what === which || what === "both";
    const plain = what === "none";
    this.guess.visible = plain;
    this.skin.transparent = this.drum.transparent = !plain;
    this.skin.opacity = this.drum.opacity = plain ? 1 : 0.25;
    this.skin.needsUpdate = this.drum.needsUpdate = true;
  }
  add(mesh) {
    this.group.add(mesh);
    return mesh;
  }
  colours() {
    this.skin.color = colour("c1");
    this.drum.color = colour("c2");
    this.guess.color = colour("c4");
    this.glass.file.color = colour("c1");
    this.glass.identified.color = colour("c2");
  }
  pose(q) {
    const poses = posesAt(this.chain, q);
    const at = poses.map((p) => new Vector3().setFromMatrixPosition(p));
    at.forEach((point, j) => {
      between(this.rods[j], j ? at[j - 1] : new Vector3(), point);
      this.knobs[j].position.copy(point);
      const axis = this.chain[j].axis.clone().transformDirection(poses[j]);
      this.drums[j].position.copy(point);
      this.drums[j].quaternion.copy(new Quaternion().setFromUnitVectors(UP, axis));
    });
    for (const b of this.bodies) {
      const pose = b.link > 0 ? poses[b.link - 1] : new Matrix4();
      b.ends[0].position.copy(b.from).applyMatrix4(pose);
      b.ends[1].position.copy(b.to).applyMatrix4(pose);
      between(b.mesh, b.ends[0].position, b.ends[1].position);
    }
    for (const which of Object.keys(this.links))
      for (const { mesh, link } of this.links[which]) mesh.matrix.multiplyMatrices(poses[link], mesh.own);
    return at[at.length - 1];
  }
}

function reachOf(spec) {
  let sum = 0;
  let last = new Vector3();
  for (const j of spec.joints) {
    const p = new Vector3(...j.p);
    sum += p.distanceTo(last);
    last = p;
  }
  return sum > 0 ? sum : 1;
}

// names of what the links can be shown as, if there is anything to show
function linkChoice(bar, arm) {
  const has = (which) => arm.links[which].length > 0;
  if (!has("file") && !has("identified")) return null;
  const label = document.createElement("label");
  label.textContent = "links as ellipsoids ";
  const select = document.createElement("select");
  select.className = "link-choice";
  const both = has("file") && has("identified");
  for (const [value, text, shown] of [["none", "off", true], ["file", "robot file", has("file")], ["identified", "identified", has("identified")], ["both", "before and after", both]])
    if (shown) select.add(new Option(text, value));
  label.append(select);
  bar.append(label);
  return select;
}

function player(figure) {
  const bar = document.createElement("div");
  bar.className = "player";
  bar.innerHTML =
    '<button type="button" class="button play">Play</button><input type="range" min="0" max="1" step="any" value="0" aria-label="time">' +
    '<output></output><label>speed <select><option value="0.25">¼</option><option value="1" selected>1</option><option value="4">4</option><option value="16">16</option></select></label>';
  figure.append(bar);
  return {
    bar, button: bar.querySelector("button"), slider: bar.querySelector("input"),
    output: bar.querySelector("output"), speed: bar.querySelector("select"),
  };
}

export function drawArm(spec) {
  const figure = document.querySelector("[data-scene]");
  if (!figure || !spec) return null;
  let renderer;
  try {
    renderer = new WebGLRenderer({ antialias: true, alpha: true });
  } catch {
    return null;  // no WebGL: the static figure remains
  }
  const stage = document.createElement("div");
  stage.className = "stage";
  renderer.domElement.setAttribute("role", "img");
  renderer.domElement.setAttribute("aria-label", "the arm in motion, in three dimensions");
  stage.append(renderer.domElement);
  figure.append(stage);
  figure.classList.add("enhanced");

  const n = spec.joints.length, frames = spec.frames || 1;
  const q = spec.q ? floats(spec.q) : new Float32Array(n);
  const duration = (frames - 1) * (spec.step_s || 0);
  const reach = reachOf(spec);
  const scene = new Scene();
  const arm = new Arm(spec, reach);
  const g = new Vector3(...spec.gravity);
  const up = g.length() > 0 ? g.clone().normalize().negate() : new Vector3(0, 0, 1);
  scene.add(arm.group, new HemisphereLight(0xffffff, 0x777788, 2.2));
  const sun = new DirectionalLight(0xffffff, 2.4);
  sun.position.set(1.2, -0.8, 2).applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
  scene.add(sun);

  const positions = (time) => {
    const at = duration > 0 ? Math.min(time / spec.step_s, frames - 1) : 0;
    const k = Math.min(Math.floor(at), Math.max(frames - 2, 0)), w = at - k;
    const next = Math.min(k + 1, frames - 1);
    return Array.from({ length: n }, (_, j) => (1 - w) * q[k * n + j] + w * q[next * n + j]);
  };

  // the path of the last joint, and the bounding box of the motion
  const path = [], bounds = new Box3().expandByPoint(new Vector3());
  for (let i = 0; i < Math.min(frames, 800); i++) {
    path.push(...arm.pose(positions((duration * i) / Math.max(1, Math.min(frames, 800) - 1))).toArray());
    for (const knob of arm.knobs) bounds.expandByPoint(knob.position);
  }
  const trace = new Line(
    new BufferGeometry().setAttribute("position", new Float32BufferAttribute(path, 3)),
    new LineBasicMaterial({ color: colour("c5") }),
  );
  scene.add(trace);

  // the mounting plane, where the robot file or the design has it
  const axis = new Vector3(0, 0, 1);
  let plane;
  const lay = () => {
    if (plane) scene.remove(plane);
    plane = new GridHelper(2.4 * reach, 12, colour("rule"), colour("rule"));
    plane.quaternion.setFromUnitVectors(UP, axis);
    plane.position.copy(axis).multiplyScalar(spec.plane);
    scene.add(plane);
  };

  const camera = new PerspectiveCamera(38, 1, reach / 50, 40 * reach);
  camera.up.copy(up);
  const controls = new OrbitControls(camera, renderer.domElement);
  bounds.expandByPoint(axis.clone().multiplyScalar(spec.plane));
  bounds.getCenter(controls.target);
  // the whole bounding box fits the height, which is less than the width
  const away = (bounds.getSize(new Vector3()).length() / 2 / Math.sin((19 * Math.PI) / 180)) * 0.7;
  camera.position.set(0.645, -0.645, 0.41).applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up)).multiplyScalar(away).add(controls.target);
  controls.enableDamping = false;

  const ui = player(figure);
  const choice = linkChoice(ui.bar, arm);
  const state = { time: 0, playing: false, frames: 0 };
  const draw = () => {
    arm.pose(positions(state.time));
    controls.update();
    renderer.render(scene, camera);
    ui.slider.value = duration > 0 ? state.time / duration : 0;
    ui.output.value = state.time.toFixed(2) + " s of " + duration.toFixed(2) + " s";
    state.frames++;
  };
  const size = () => {
    const width = stage.clientWidth, height = stage.clientHeight;
    if (!(width > 0)) return;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    renderer.domElement.style.width = width + "px";
    renderer.domElement.style.height = height + "px";
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    draw();
  };
  choice?.addEventListener("change", () => {
    arm.show(choice.value);
    draw();
  });
  let last = 0;
  const tick = (now) => {
    if (!state.playing) return;
    state.time += last ? ((now - last) / 1000) * Number(ui.speed.value) : 0;
    last = now;
    if (state.time >= duration) state.time = 0;
    draw();
    requestAnimationFrame(tick);
  };
  ui.button.addEventListener("click", () => {
    state.playing = !state.playing && duration > 0;
    ui.button.textContent = state.playing ? "Pause" : "Play";
    last = 0;
    if (state.playing) requestAnimationFrame(tick);
  });
  ui.slider.addEventListener("input", () => {
    state.time = Number(ui.slider.value) * duration;
    draw();
  });
  controls.addEventListener("change", () => {
    if (!state.playing) renderer.render(scene, camera);
  });
  document.addEventListener("theme", () => {
    arm.colours();
    trace.material.color = colour("c5");
    lay();
    draw();
  });
  window.addEventListener("resize", size);
  lay();
  size();
  return { state, spec, arm, tip: (frame) => arm.pose(Array.from(q.slice(frame * n, (frame + 1) * n))).toArray() };
}
