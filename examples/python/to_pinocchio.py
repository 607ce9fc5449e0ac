"""to_pinocchio.py RESULT.json: identified parameters in a Pinocchio model that is already loaded.

The result must be consistent (identify with consistent=True), of a robot in URDF. A new model is simpler:
pinocchio.buildModelFromUrdf("identified.urdf") after result.export("urdf", "identified.urdf").
"""
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy as np
import roberval


def numbers(element, key, default):
    return np.array([float(x) for x in element.get(key, default).split()]) if element is not None else np.zeros(3)


def rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]])


def inertias(result):
    """Mass, centre and inertia about the centre, in the axes of each link: {joint: (m, c, I)}."""
    with tempfile.NamedTemporaryFile(suffix=".urdf") as file:
        result.export("urdf", file.name)
        root = ET.parse(file.name).getroot()
    links = {link.get("name"): link for link in root.iter("link")}
    out = {}
    for joint in root.iter("joint"):
        inertial = links[joint.find("child").get("link")].find("inertial")
        if inertial is None:
            continue
        origin, entries = inertial.find("origin"), inertial.find("inertia")
        i = {k: float(entries.get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        I = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]])
        R = rotation(numbers(origin, "rpy", "0 0 0"))
        out[joint.get("name")] = (float(inertial.find("mass").get("value")), numbers(origin, "xyz", "0 0 0"), R @ I @ R.T)
    return out


def update(model, result):
    """Put the identified inertias into a pinocchio.Model."""
    import pinocchio

    for joint, (mass, centre, inertia) in inertias(result).items():
        if model.existJointName(joint):
            model.inertias[model.getJointId(joint)] = pinocchio.Inertia(mass, centre, inertia)
    for j, armature in enumerate(p.value for p in result.standard if p.name.startswith("Ia")):
        model.armature[j] = armature


if __name__ == "__main__":
    import pinocchio

    result = roberval.Result(sys.argv[1])
    model = pinocchio.buildModelFromUrdf(result.json["robot"]["file"])
    update(model, result)
    print(model)
