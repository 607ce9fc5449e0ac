"""to_mujoco.py RESULT.json MODEL.xml: identified parameters in a MuJoCo model that is already loaded.

The result must be consistent (identify with consistent=True). Joints of the model have the names of the robot's.
"""
import sys
import tempfile

import roberval


def update(model, result):
    """Put masses, inertias, armature, damping and friction loss into a mujoco.MjModel, joint by joint."""
    import mujoco

    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        result.export("mjcf", file.name)
        found = mujoco.MjModel.from_xml_path(file.name)
    for i in range(found.njnt):
        name = mujoco.mj_id2name(found, mujoco.mjtObj.mjOBJ_JOINT, i)
        j = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
        if j < 0:
            raise ValueError(f"the model has no joint {name}")
        body, of = model.jnt_bodyid[j], found.jnt_bodyid[i]
        for field in ("body_mass", "body_ipos", "body_iquat", "body_inertia"):
            getattr(model, field)[body] = getattr(found, field)[of]
        for field in ("dof_armature", "dof_damping", "dof_frictionloss"):
            getattr(model, field)[model.jnt_dofadr[j]] = getattr(found, field)[found.jnt_dofadr[i]]
    mujoco.mj_setConst(model, mujoco.MjData(model))


if __name__ == "__main__":
    import mujoco

    loaded = mujoco.MjModel.from_xml_path(sys.argv[2])
    update(loaded, roberval.Result(sys.argv[1]))
    print("masses:", loaded.body_mass)
